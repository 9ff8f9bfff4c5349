//! A disk without room: writes are told so, reads go on, room heals it.

mod needs_small_disk {
    use std::path::Path;
    use std::process::Command;

    use reqwest::Method;
    use serde_json::json;

    use crate::app::{Options, TestServer, escape};

    /// A file system in memory of a few megabytes, unmounted at the end.
    struct SmallDisk(tempfile::TempDir);

    impl SmallDisk {
        fn mount() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let mount = Command::new("mount")
                .args(["-t", "tmpfs", "-o", "size=4m", "tmpfs"])
                .arg(folder.path())
                .status();
            assert!(mount.unwrap().success(), "this test mounts a small disk, as root may");
            Self(folder)
        }

        fn path(&self) -> &Path {
            self.0.path()
        }
    }

    impl Drop for SmallDisk {
        fn drop(&mut self) {
            let _ = Command::new("umount").arg("-l").arg(self.path()).status();
        }
    }

    #[tokio::test]
    #[ignore = "needs a small disk"]
    async fn on_a_full_disk_messages_are_507_reads_go_on_and_room_heals_it() {
        let disk = SmallDisk::mount();
        let server = TestServer::open(disk.path().join("homeserver.db"), Options::default()).await;
        let ann = server.user("ann").await;
        let room = ann.public_room().await;
        ann.say(&room, "before").await;
        let ballast = disk.path().join("ballast");
        let _ = std::fs::write(&ballast, vec![0; 8 << 20]);
        let (mut kept, mut refused) = (vec!["before".to_owned()], 0);
        for n in 0..60 {
            // Several at once share a commit.
            let send = |part: usize| {
                let path = format!("/rooms/{}/send/m.room.message/{n}-{part}", escape(&room));
                let text = format!("{n}-{part} {}", "x".repeat(part * 2_000));
                let body = json!({"msgtype": "m.text", "body": text});
                let ann = &ann;
                async move { (ann.try_call(Method::PUT, &path, Some(body)).await, text) }
            };
            let (one, two, three) = tokio::join!(send(0), send(9), send(1));
            for ((status, answer), text) in [one, two, three] {
                if status == 200 {
                    kept.push(text);
                } else {
                    let told = (status.as_u16(), answer["errcode"].as_str().unwrap());
                    assert_eq!(told, (507, "M_RESOURCE_LIMIT_EXCEEDED"), "{answer}");
                    refused += 1;
                }
            }
            ann.get("/account/whoami").await;
            ann.history(&room).await;
        }
        assert!(refused > 0, "the disk never filled");
        std::fs::remove_file(&ballast).unwrap();
        kept.push("after".to_owned());
        ann.say(&room, "after").await;
        let path = format!("/rooms/{}/messages?dir=b&limit=1000", escape(&room));
        let mut told = crate::app::bodies(&ann.get(&path).await["chunk"]);
        told.sort_unstable();
        kept.sort_unstable();
        assert_eq!(told, kept, "what was acknowledged is there, and nothing else");
        server.homeserver.close().await;
    }
}
