//! Addresses that were free a moment ago, for what has to know its own before it starts.

use std::net::TcpListener;

pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

pub fn free_address() -> String {
    format!("127.0.0.1:{}", free_port())
}
