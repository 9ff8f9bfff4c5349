//! Callers who do not read their answers, or do not finish their requests, cost a bounded amount of memory.

use axum::body::{Body, HttpBody};
use axum::response::Response;
use reqwest::StatusCode;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tower::ServiceExt;

use crate::app::{Options, TestServer, User, escape};

const MIB: usize = 1024 * 1024;

/// An answer whose body nobody has read yet.
async fn ask(user: &User<'_>, path: &str) -> Response {
    let request = http::Request::get(format!("/_matrix/client{path}"))
        .header("authorization", format!("Bearer {}", user.token));
    let router = user.server.homeserver.router();
    router.oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
}

async fn full_room(ann: &User<'_>) -> String {
    let room = ann.public_room().await;
    for _ in 0..20 {
        ann.say(&room, &"x".repeat(60_000)).await;
    }
    format!("/v3/rooms/{}/messages?dir=b&limit=1000", escape(&room))
}

#[tokio::test]
async fn sixty_answers_that_nobody_reads_stay_within_the_users_budget_and_others_go_on() {
    let server = TestServer::new().await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let path = full_room(&ann).await;
    bob.join(ann.get("/joined_rooms").await["joined_rooms"][0].as_str().unwrap()).await;
    let mut unread = Vec::new();
    let mut refused = 0;
    for _ in 0..60 {
        let answer = ask(&ann, &path).await;
        match answer.status() {
            StatusCode::OK => unread.push(answer),
            status => {
                assert_eq!(status, 429);
                assert!(answer.headers().contains_key("retry-after"));
                refused += 1;
            }
        }
        assert!(server.homeserver.unread_answer_bytes() <= 4 * MIB);
    }
    assert_eq!((unread.len(), refused), (3, 57), "a page is a little more than 1 MiB");
    let sizes: u64 = unread.iter().map(|answer| answer.body().size_hint().exact().unwrap()).sum();
    let held = server.homeserver.unread_answer_bytes();
    assert_eq!(held, usize::try_from(sizes).unwrap());
    assert_eq!(ask(&bob, &path).await.status(), 200, "others go on");
    assert_eq!(ann.get("/account/whoami").await["user_id"], ann.id, "small answers too");
    drop(unread.pop());
    assert_eq!(ask(&ann, &path).await.status(), 200, "what is let go is free again");
    drop(unread);
    assert_eq!(server.homeserver.unread_answer_bytes(), 0);
}

#[tokio::test]
async fn what_is_sent_is_freed_while_the_rest_still_waits() {
    let server = TestServer::new().await;
    let ann = server.user("ann").await;
    let mut answer = ask(&ann, &full_room(&ann).await).await.into_body();
    let whole = server.homeserver.unread_answer_bytes();
    let mut read = 0;
    while read < whole / 2 {
        let piece = std::future::poll_fn(|cx| std::pin::Pin::new(&mut answer).poll_frame(cx)).await;
        read += piece.unwrap().unwrap().into_data().unwrap().len();
    }
    assert_eq!(server.homeserver.unread_answer_bytes(), whole - read);
    let rest = axum::body::to_bytes(answer, usize::MAX).await.unwrap();
    assert_eq!(rest.len(), whole - read);
}

#[tokio::test]
async fn the_largest_file_gets_through_and_a_second_unread_one_does_not() {
    let options = Options { media_max_bytes: 10 << 20, ..Options::default() };
    let server = TestServer::with(options).await;
    let ann = server.user("ann").await;
    let url = format!("{}/_matrix/media/v3/upload", server.base);
    let upload = server.client.post(url).bearer_auth(&ann.token).body(vec![7; 10 << 20]);
    let answer: serde_json::Value = upload.send().await.unwrap().json().await.unwrap();
    let id = answer["content_uri"].as_str().unwrap().trim_start_matches("mxc://").to_owned();
    let path = format!("/v1/media/download/{id}");
    let first = ask(&ann, &path).await;
    assert_eq!(first.status(), 200);
    assert_eq!(ask(&ann, &path).await.status(), 429);
    let bytes = axum::body::to_bytes(first.into_body(), usize::MAX).await.unwrap();
    assert!(bytes.len() == 10 << 20 && bytes.iter().all(|byte| *byte == 7));
    assert_eq!(ask(&ann, &path).await.status(), 200);
}

#[tokio::test]
async fn bodies_that_never_end_are_counted_before_they_are_read() {
    let options = Options { media_max_bytes: 10 << 20, ..Options::default() };
    let server = TestServer::with(options).await;
    let (ann, bob) = (server.user("ann").await, server.user("bob").await);
    let begin = async |user: &User<'_>, bytes: usize| {
        let mut stream =
            TcpStream::connect(server.base.trim_start_matches("http://")).await.unwrap();
        let head = format!(
            "POST /_matrix/media/v3/upload HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n\
             expect: 100-continue\r\ncontent-length: {bytes}\r\n\r\n",
            user.token
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        // It is told to go on, or refused, once it is counted.
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).await.unwrap();
        (stream, String::from_utf8_lossy(&answer[9..]).into_owned())
    };
    let (_first, answer) = begin(&ann, 10 * MIB).await;
    assert_eq!(answer, "100");
    let (_second, answer) = begin(&ann, 10 * MIB).await;
    assert_eq!(answer, "429");
    assert_eq!(begin(&bob, 10 * MIB).await.1, "100", "others go on");
    assert_eq!(begin(&ann, 1024).await.1, "100", "small ones too");
}
