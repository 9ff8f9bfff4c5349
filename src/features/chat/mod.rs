//! Chat: accounts on the network for users, rooms for people and for matches, and who is in them.
//!
//! Owns: the `chat_*` tables and the view `chat_room_users`, which other features may read.
//! Invariants: the network is the truth about rooms and members, which here only follow what the homeserver tells, each event
//! once, and can be rebuilt from it; the tables here are the truth about accounts, devices and matches' rooms, which the
//! homeserver is made to match for as long as it takes; a session has one device at a time; an id that was somebody's on the network is never given to
//! another; the service's bot is nobody's fellow member.
//! Never: calls the homeserver inside a transaction, keeps an access token, or reads a message, but for a moderator who looks at
//! what was reported.

mod account_store;
mod accounts;
mod addressed;
mod addressed_store;
mod age;
mod age_store;
mod bot_rooms;
pub mod desk;
mod devices;
mod event_room_store;
mod event_rooms;
pub mod homeserver_routes;
mod inbound;
mod listing;
mod listing_store;
mod member_store;
mod membership;
mod moderation;
mod moderation_store;
mod moving;
mod news;
mod news_store;
pub mod operator_routes;
mod purpose;
mod reconcile;
mod resync;
mod room_turn_store;
mod room_turns;
mod rooms;
pub mod routes;
mod speaking;
mod store;
mod turn_store;
mod values;
mod visits;

use std::sync::Arc;
use std::time::Duration;

use crate::adapters::matrix::Matrix;
use crate::extends_core;
use crate::features::events::FollowInChat;
use crate::features::users::UserId;
use crate::platform::cache::Cache;
use crate::platform::core::Core;
use crate::platform::db::{Shared, Tx};
use crate::platform::error::{Error, Result};
use crate::platform::jobs::{BoundJob, bind};

pub use account_store::list_devices_of;
pub use accounts::{export, find_user, forget, has_account, profile_changed};
pub use addressed::{has_any as has_addressed, may_hear, take as take_addressed};
pub use addressed_store::AddressedRow;
pub use age::{compare as compare_age, restored};
pub use bot_rooms::{bring_in, name_led_room, open_led_room, take_out};
pub use devices::{
    PendingDevice, begin_device, begin_devices, credentials_in_time, issue_credentials,
    make as make_device, sessions_ended,
};
pub use event_rooms::open_room_of_alias;
pub use inbound::receive;
pub use member_store::{count_active, count_rooms_of, list_member_ids};
pub use moderation::{count_reports, open_reports, standing_changed};
pub use moderation_store::is_blocked;
pub use news_store::{
    NewsRow, find_oldest as oldest_news, list_after as list_news, list_newest as newest_news,
};
pub use reconcile::lag;
pub use routes::PathRoom;
pub use speaking::say;
pub use store::Room;
pub use values::RoomId;

use devices::{DeviceLives, DeviceMade};
use listing::{CommonRooms, OwnRooms};
use listing_store::{ListedRoomView, RoomFilter, count_rooms, each_room};
use member_store::Membership;
use store::NewRoomRow;

const FIRST_GREETING: Duration = Duration::from_millis(250);
const LAST_GREETING: Duration = Duration::from_secs(60);

/// Every sort of work of this feature.
pub fn jobs(chat: &Chat) -> [BoundJob; 11] {
    [
        bind::<reconcile::Reconcile>(chat),
        bind::<reconcile::CatchUp>(chat),
        bind::<FollowInChat>(chat),
        bind::<event_rooms::FindStrayed>(chat),
        bind::<resync::Resync>(chat),
        bind::<resync::Rebuild>(chat),
        bind::<resync::Forget>(chat),
        bind::<desk::FinishMeasure>(chat),
        bind::<desk::EndMute>(chat),
        bind::<desk::FindAuthor>(chat),
        bind::<desk::LeaveAll>(chat),
    ]
}

/// Chat: the core, the one client of the homeserver, and the rooms that everybody sees.
#[derive(Clone)]
pub struct Chat {
    core: Core,
    pub matrix: Matrix,
    live: Shared<DeviceLives>,
    made: Shared<DeviceMade>,
    own_rooms: Shared<OwnRooms>,
    common_rooms: Arc<Cache<(), Arc<CommonRooms>>>,
}

extends_core!(Chat);

impl Chat {
    pub fn new(core: &Core, matrix: Matrix) -> Self {
        let db = &core.db;
        Self {
            core: core.clone(),
            matrix,
            live: Shared::new(db),
            made: Shared::new(db),
            own_rooms: Shared::new(db),
            common_rooms: Arc::new(Cache::new(1, listing::KEPT)),
        }
    }
}

/// The room, if there is one and the user may read it: anybody a public one, members and invited users a private one.
pub fn room_for_reading(tx: &mut Tx, user: UserId, room: &RoomId) -> Result<Room> {
    let (room, membership) = rooms::get_seen_by(tx, user, room)?;
    let is_inside = matches!(membership, Some(Membership::Join | Membership::Invite));
    if room.join_rule != rooms::PUBLIC && !is_inside {
        return Err(Error::Forbidden {
            code: "not_a_member",
            message: text!("This room is private, and you are neither a member nor invited."),
        });
    }
    Ok(room)
}

/// Makes the bot's account, first of all, and asks to be called, which ends the homeserver's patience with pushes that failed
/// while this service was away. Tries until it works.
pub async fn greet_homeserver(chat: Chat) {
    let mut pause = FIRST_GREETING;
    while let Err(error) = greet(&chat).await {
        tracing::warn!(error = %error, "the homeserver could not be greeted");
        tokio::select! {
            () = chat.stop.cancelled() => return,
            () = tokio::time::sleep(pause) => pause = (pause * 2).min(LAST_GREETING),
        }
    }
    let settings = chat.matrix.settings();
    if !settings.is_embedded {
        tracing::info!("{}", settings.describe());
    }
}

async fn greet(chat: &Chat) -> Result<()> {
    accounts::ensure_bot(chat).await?;
    chat.matrix.ping().await?;
    Ok(())
}
