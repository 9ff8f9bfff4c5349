//! A way between two programs on this machine that can be cut, as a broken network does it: nothing passes any more and neither side
//! is told. What was under way when it is whole again passes then.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

pub struct Link {
    /// Where whoever comes this way connects to.
    pub port: u16,
    is_cut: watch::Sender<bool>,
}

impl Link {
    pub async fn to(target: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (is_cut, cut) = watch::channel(false);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                tokio::spawn(join(near, target, cut.clone()));
            }
        });
        Self { port, is_cut }
    }

    pub fn cut(&self, is_cut: bool) {
        self.is_cut.send_replace(is_cut);
    }
}

type Cut = watch::Receiver<bool>;

async fn join(near: TcpStream, target: u16, mut cut: Cut) {
    whole(&mut cut).await;
    let Ok(far) = TcpStream::connect(("127.0.0.1", target)).await else { return };
    let ((from_near, to_near), (from_far, to_far)) = (near.into_split(), far.into_split());
    tokio::select! {
        () = pass(from_near, to_far, cut.clone()) => {}
        () = pass(from_far, to_near, cut) => {}
    }
}

/// Also that one side has hung up is not told while the way is cut.
async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut cut: Cut) {
    let mut bytes = vec![0; 16 * 1024];
    loop {
        let read = from.read(&mut bytes).await.unwrap_or(0);
        whole(&mut cut).await;
        if read == 0 || to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
}

async fn whole(cut: &mut Cut) {
    // The other end is dropped with the link; then nothing is to be waited for.
    let _ = cut.wait_for(|is_cut| !is_cut).await;
}
