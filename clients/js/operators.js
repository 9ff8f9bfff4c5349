// What operators can do besides: the same client with their calls. Apps of fans do not load it.
import { Touchline, listed } from "./touchline.js";

/** @import { Options } from "./touchline.js" */

export class TouchlineOperator extends Touchline {
  /** @param {Options & { token: string }} options */
  constructor(options) {
    super(options);
    this.operations = { ...this.operations, ...OPERATIONS };
  }

  /**
   * What happens, for whoever watches over it: `match`, `audit`, `report`, `job`, `figures`; `reset` says that too much was missed. Reconnects by itself
   * until `signal` aborts or the token ends.
   * @param {Parameters<Touchline["listen"]>[1]} options
   * @returns {AsyncGenerator<{ id: string, name: string, data: any }>}
   */
  desk(options = {}) {
    return this.listen("/api/admin/stream", options);
  }
}

// By generate.mjs; `!`: takes an Idempotency-Key.
const OPERATIONS = listed(`
list_audit_log GET /api/admin/audit
export_audit_log GET /api/admin/audit/export
import_catalogue PUT /api/admin/catalogue
rebuild_chat POST /api/admin/chat/rebuild
list_chat_reports GET /api/admin/chat/reports
show_chat_report GET /api/admin/chat/reports/{report}
resolve_chat_report POST /api/admin/chat/reports/{report}/resolve
find_rooms GET /api/admin/chat/rooms
show_room GET /api/admin/chat/rooms/{room}
ban_member POST /api/admin/chat/rooms/{room}/ban
list_room_members GET /api/admin/chat/rooms/{room}/members
mute_member POST /api/admin/chat/rooms/{room}/mute
redact_message POST /api/admin/chat/rooms/{room}/redact
remove_member POST /api/admin/chat/rooms/{room}/remove
unban_member POST /api/admin/chat/rooms/{room}/unban
unmute_member POST /api/admin/chat/rooms/{room}/unmute
show_treasury GET /api/admin/coins
list_coin_flows GET /api/admin/coins/flows
list_frozen_accounts GET /api/admin/coins/frozen
reconcile_coins POST /api/admin/coins/reconcile
list_matches GET /api/admin/events
add_match POST /api/admin/events
list_matches_in_need GET /api/admin/events/in-need
show_match GET /api/admin/events/{event}
update_event PATCH /api/admin/events/{event}
enter_result POST /api/admin/events/{event}/result
preview_settlement GET /api/admin/events/{event}/settlement
void_event POST /api/admin/events/{event}/void
unbind_feed_match DELETE /api/admin/feed-matches
list_feed_matches GET /api/admin/feed-matches
bind_feed_match PUT /api/admin/feed-matches
unbind_feed_team DELETE /api/admin/feed-teams
list_feed_teams GET /api/admin/feed-teams
bind_feed_team PUT /api/admin/feed-teams
list_feeds GET /api/admin/feeds
poll_feed POST /api/admin/feeds/{tournament}/poll?dry_run&provider
list_jobs GET /api/admin/jobs
drop_job DELETE /api/admin/jobs/{job}
retry_job POST /api/admin/jobs/{job}/retry
find_leagues GET /api/admin/leagues
end_league POST /api/admin/leagues/{league}/close
rename_league POST /api/admin/leagues/{league}/rename
show_operator GET /api/admin/me
list_nodes GET /api/admin/nodes
list_operators GET /api/admin/operators
add_operator POST /api/admin/operators
revoke_operator DELETE /api/admin/operators/{operator}
show_overview GET /api/admin/overview
show_push GET /api/admin/push
list_push_messages GET /api/admin/push/messages
send_push_message POST! /api/admin/push/messages
find_questions GET /api/admin/questions
open_question POST /api/admin/questions
look_at_question GET /api/admin/questions/{question}
change_question PATCH /api/admin/questions/{question}
settle_question POST /api/admin/questions/{question}/settle
void_question POST /api/admin/questions/{question}/void
rehearse_scene POST /api/admin/rehearsal
sign_in_operator POST /api/admin/sign-in
show_sms_figures GET /api/admin/sms
open_desk_stream GET /api/admin/stream
list_teams_to_choose GET /api/admin/teams
list_tournaments_to_choose GET /api/admin/tournaments
find_users GET /api/admin/users
delete_user DELETE /api/admin/users/{user}
show_person GET /api/admin/users/{user}
ban_user POST /api/admin/users/{user}/ban
correct_coins POST! /api/admin/users/{user}/coins
list_user_transactions GET /api/admin/users/{user}/coins/transactions
unfreeze_coins POST /api/admin/users/{user}/coins/unfreeze
export_user GET /api/admin/users/{user}/export
remove_from_all_rooms POST /api/admin/users/{user}/leave-rooms
list_user_notes GET /api/admin/users/{user}/notes
add_user_note POST /api/admin/users/{user}/notes
list_user_predictions GET /api/admin/users/{user}/predictions
list_user_sessions GET /api/admin/users/{user}/sessions
end_user_sessions POST /api/admin/users/{user}/sessions/end
unban_user POST /api/admin/users/{user}/unban
list_webhooks GET /api/admin/webhooks
add_webhook POST /api/admin/webhooks
remove_webhook DELETE /api/admin/webhooks/{webhook}
list_webhook_deliveries GET /api/admin/webhooks/{webhook}/deliveries
replay_webhook POST /api/admin/webhooks/{webhook}/replay
`);
