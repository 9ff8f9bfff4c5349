// Written by generate.mjs from the API's description.
export interface paths {
    "/.well-known/matrix/client": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which homeserver Matrix clients are to use. */
        get: operations["discover_homeserver"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit log, newest first.
         * @description `meta.total` is counted up to 100,000.
         *
         *     For the role viewer and those above it.
         */
        get: operations["list_audit_log"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Take the audit log away, oldest first, whatever its length.
         * @description Who does is written down. An export that breaks off ends the connection. In CSV a cell that a spreadsheet would take for a formula
         *     begins with an apostrophe.
         *
         *     For the role operator and those above it.
         */
        get: operations["export_audit_log"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/catalogue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Import sports, teams, tournaments and events by their keys, all or nothing.
         * @description The body may be as large as 4 MiB. The same document again changes nothing; a changed one moves only what changed in it.
         *
         *     For the role operator and those above it.
         */
        put: operations["import_catalogue"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/chat/rebuild": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read all rooms and members back from the homeserver.
         * @description For a database that lost them, or after moving to another homeserver.
         *
         *     For the role operator and those above it.
         */
        post: operations["rebuild_chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/chat/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what users reported in chat, newest first.
         * @description For the role moderator and those above it.
         */
        get: operations["list_chat_reports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/chat/reports/{report}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a report with the message and what was said around it.
         * @description The messages are read from the homeserver for this answer and kept nowhere. In an encrypted room there is no text to read.
         *
         *     For the role moderator and those above it.
         */
        get: operations["show_chat_report"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/chat/reports/{report}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve a report.
         * @description For the role moderator and those above it.
         */
        post: operations["resolve_chat_report"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/chat/rooms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find rooms by the beginning of their name; those where something happened last where none is given.
         * @description Private ones too. They are counted up to 10,000.
         *
         *     For the role moderator and those above it.
         */
        get: operations["find_rooms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/chat/rooms/{room}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a room, with who is to be silent in it.
         * @description For the role moderator and those above it.
         */
        get: operations["show_room"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/chat/rooms/{room}/ban": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take somebody out of a room for good.
         * @description For the role moderator and those above it.
         */
        post: operations["ban_member"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/chat/rooms/{room}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who is in a room, invited to it or banned from it, who was active last first.
         * @description For the role moderator and those above it.
         */
        get: operations["list_room_members"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/chat/rooms/{room}/mute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have somebody be silent in a room, for good or for a time: they read, and cannot write.
         * @description For the role moderator and those above it.
         */
        post: operations["mute_member"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/chat/rooms/{room}/redact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a message away, for everybody in the room.
         * @description For the role moderator and those above it.
         */
        post: operations["redact_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/chat/rooms/{room}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take somebody out of a room, who may come back.
         * @description For the role moderator and those above it.
         */
        post: operations["remove_member"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/chat/rooms/{room}/unban": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let somebody come back to a room.
         * @description For the role moderator and those above it.
         */
        post: operations["unban_member"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/chat/rooms/{room}/unmute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let somebody speak again in a room.
         * @description For the role moderator and those above it.
         */
        post: operations["unmute_member"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/coins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the books: the house accounts, what users hold, and what the last reconciliation found.
         * @description For the role viewer and those above it.
         */
        get: operations["show_treasury"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/coins/flows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the coins that moved by UTC day and reason, the newest day first.
         * @description At most 92 days. `meta.complete_to` says up to when transfers are in it.
         *
         *     For the role viewer and those above it.
         */
        get: operations["list_coin_flows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/coins/frozen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the accounts that are frozen because they disagree with their entries.
         * @description For the role viewer and those above it.
         */
        get: operations["list_frozen_accounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/coins/reconcile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recompute every balance now instead of within the hour.
         * @description A job does it, since it walks all entries of all accounts; one that is under way comes to its end and is followed by another.
         *
         *     For the role operator and those above it.
         */
        post: operations["reconcile_coins"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List matches by their start, voided ones too, with what each needs a person for.
         * @description For the role viewer and those above it.
         */
        get: operations["list_matches"];
        put?: never;
        /**
         * Add a match.
         * @description The sides play the tournament's sport. The same sides at the same time in the same tournament are there once.
         *
         *     For the role operator and those above it.
         */
        post: operations["add_match"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/events/in-need": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all matches that need a person, by their start, whichever day they are of.
         * @description At most a hundred for each reason.
         *
         *     For the role viewer and those above it.
         */
        get: operations["list_matches_in_need"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/events/{event}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one match as a whole: what needs a person, what providers say, how far its settlement is, and what operators did.
         * @description The `ETag` is the match's version.
         *
         *     For the role viewer and those above it.
         */
        get: operations["show_match"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a match: its time, venue, status, live score, period or minute.
         * @description For the role operator and those above it.
         */
        patch: operations["update_event"];
        trace?: never;
    };
    "/api/admin/events/{event}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enter a match's result, which finishes and settles it; again, to correct it.
         * @description For the role operator and those above it.
         */
        post: operations["enter_result"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/events/{event}/settlement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See what a result would earn everybody, without entering it.
         * @description For the role operator and those above it.
         */
        get: operations["preview_settlement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/events/{event}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void a match that was cancelled or abandoned: predictions on it earn nothing.
         * @description For the role operator and those above it.
         */
        post: operations["void_event"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/feed-matches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List which match each id of a provider stands for.
         * @description For the role viewer and those above it.
         */
        get: operations["list_feed_matches"];
        /**
         * Say which match of the tournament a provider's id stands for.
         * @description If the two sides are not those that the provider tells, it is held at the next poll.
         *
         *     For the role operator and those above it.
         */
        put: operations["bind_feed_match"];
        post?: never;
        /**
         * Undo that a provider's id stands for a match.
         * @description The next poll looks for it anew by pairing and time, and may find the same match again, or adds it. The match stays as it is.
         *
         *     For the role operator and those above it.
         */
        delete: operations["unbind_feed_match"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/feed-teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List which team each id of a provider stands for.
         * @description For the role viewer and those above it.
         */
        get: operations["list_feed_teams"];
        /**
         * Say which team a provider's id stands for.
         * @description If it stood for another team, the provider's matches of that team are let go as when that is undone.
         *
         *     For the role operator and those above it.
         */
        put: operations["bind_feed_team"];
        post?: never;
        /**
         * Undo that a provider's id stands for a team.
         * @description The next poll looks for it anew by its name, or adds it. The provider's matches of the team are let go too: the next poll finds
         *     those that are of the team again by pairing and time, and adds the others as matches of the team that it then finds. Matches
         *     stay as they are, with their predictions; one that should not be there is for an operator to void.
         *
         *     For the role operator and those above it.
         */
        delete: operations["unbind_feed_team"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/feeds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See every feed: its last poll, what is left of its quotas, and what is held.
         * @description For the role viewer and those above it.
         */
        get: operations["list_feeds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/feeds/{tournament}/poll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a feed now and import what it says, or only tell the difference.
         * @description If none of its sources gives an answer, `provider` is null and `failures` says why.
         *
         *     For the role operator and those above it.
         */
        post: operations["poll_feed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the work that is done outside requests, what has waited longest first.
         * @description Each lane has workers of its own, so that none waits for another. What fails is tried again, after pauses of at most ten
         *     minutes, until it succeeds or is dropped.
         *
         *     For the role viewer and those above it.
         */
        get: operations["list_jobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/jobs/{job}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Drop a job.
         * @description What it would have done is not done. A run that is under way goes on to its end.
         *
         *     For the role operator and those above it.
         */
        delete: operations["drop_job"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/jobs/{job}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a job now instead of after its pause.
         * @description For the role operator and those above it.
         */
        post: operations["retry_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/leagues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find leagues, public or not, the largest first.
         * @description For the role viewer and those above it.
         */
        get: operations["find_leagues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/leagues/{league}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a league: nobody joins, nothing counts any more, and its table stays.
         * @description For the role moderator and those above it.
         */
        post: operations["end_league"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/leagues/{league}/rename": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a league another name, because the one it has offends.
         * @description For the role moderator and those above it.
         */
        post: operations["rename_league"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show whose token this is, and what it allows.
         * @description For the role viewer and those above it.
         */
        get: operations["show_operator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the processes that are alive, the longest there first.
         * @description One that stops takes itself off; one that was killed is gone a minute after it was last seen.
         *
         *     For the role viewer and those above it.
         */
        get: operations["list_nodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/operators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List operators' tokens, newest first. The one of the configuration is not among them.
         * @description For the role owner and those above it.
         */
        get: operations["list_operators"];
        put?: never;
        /**
         * Make a token for an operator.
         * @description For the role owner and those above it.
         */
        post: operations["add_operator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/operators/{operator}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an operator's token, from the next call on.
         * @description The last token of an owner cannot be revoked where the configuration has none. A role is not changed: make another token.
         *
         *     For the role owner and those above it.
         */
        delete: operations["revoke_operator"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what an operator watches: users, matches, jobs and messages.
         * @description The audit log notes it at most once an hour for each operator, so that a console may ask as often as it likes.
         *
         *     For the role viewer and those above it.
         */
        get: operations["show_overview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/push": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what was sent to devices, and to how many.
         * @description For the role viewer and those above it.
         */
        get: operations["show_push"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/push/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what operators told users' devices, the latest first.
         * @description For the role viewer and those above it.
         */
        get: operations["list_push_messages"];
        put?: never;
        /**
         * Tell users' devices something: all of them, or those who follow a team or are in a league. Whoever is in their quiet hours hears of it in the morning.
         * @description With an `Idempotency-Key` the same request has its effect once, however often it is sent.
         *
         *     For the role operator and those above it.
         */
        post: operations["send_push_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List questions. What was picked is counted when they are closed.
         * @description For the role viewer and those above it.
         */
        get: operations["find_questions"];
        put?: never;
        /**
         * Open a question.
         * @description For the role operator and those above it.
         */
        post: operations["open_question"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/questions/{question}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a question.
         * @description For the role viewer and those above it.
         */
        get: operations["look_at_question"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a question that is neither settled nor void; what is absent stays. A deadline that is moved ahead opens it again.
         * @description For the role operator and those above it.
         */
        patch: operations["change_question"];
        trace?: never;
    };
    "/api/admin/questions/{question}/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settle a question that is closed, or correct what was right about it. Points follow within seconds.
         * @description For the role operator and those above it.
         */
        post: operations["settle_question"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/questions/{question}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void a question: answers to it earn nothing. Settling it ends that.
         * @description For the role operator and those above it.
         */
        post: operations["void_question"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/rehearsal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tell what happens on a match day that is only played, and take messages or chat away for a while.
         * @description In `local` and `testing` only; elsewhere there is no such path. The scene is in the service's log and in the audit log. An outage
         *     is that of the node that was asked.
         *
         *     For the role operator and those above it.
         */
        post: operations["rehearse_scene"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in by the link that the service shows on the terminal where it was started.
         * @description Its code works once, within an hour, on the node that showed it. The token is an owner's, and ends after twelve hours.
         */
        post: operations["sign_in_operator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what became of messages: by provider and country, why they failed, and the day's budget.
         * @description Other nodes' messages are counted within five seconds. No phone number, no code, no text.
         *
         *     For the role viewer and those above it.
         */
        get: operations["show_sms_figures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow what happens live, as server-sent events.
         * @description `match` when something about a match changes (`event_id`, `kind` and `data` as fans are told), `audit` for what operators do (`id`, `operator`,
         *     `action`, `subject`, `created_at`), `report` (`open`, `newest_id`) and `job` (`failing`) when those change or a job that fails is tried again, `figures` every five seconds
         *     (`predictions_a_minute`, `listening`, `codes_sent_last_hour`, `jobs_lag_ms`). Come back with `Last-Event-ID` to be told what
         *     happened meanwhile; `reset` says that too much was missed: read anew. The stream ends with the token, and now and then by itself: come back then.
         *
         *     For the role viewer and those above it.
         */
        get: operations["open_desk_stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List teams that can play a match, by name.
         * @description For the role viewer and those above it.
         */
        get: operations["list_teams_to_choose"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/tournaments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tournaments that a match can be of, by name.
         * @description For the role viewer and those above it.
         */
        get: operations["list_tournaments_to_choose"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find users by one of id, username, name and phone; the newest first where none is given.
         * @description A search shows the first 10,000 and counts so far.
         *
         *     For the role viewer and those above it.
         */
        get: operations["find_users"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{user}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show one user as a whole.
         * @description For the role viewer and those above it.
         */
        get: operations["show_person"];
        put?: never;
        post?: never;
        /**
         * Delete a user's account, for good, as when they leave themselves.
         * @description For the role owner and those above it.
         */
        delete: operations["delete_user"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{user}/ban": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ban a user, for good or for a time: every call of theirs answers 403 `banned` until the ban ends.
         * @description A user who is banned already stays so since then; end and reason are the new ones.
         *
         *     For the role moderator and those above it.
         */
        post: operations["ban_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{user}/coins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Correct a user's balance by a signed amount.
         * @description An `Idempotency-Key` is the operator's own: it is kept apart from the keys of the user and of other operators.
         *
         *     For the role operator and those above it.
         */
        post: operations["correct_coins"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{user}/coins/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what moved a user's coins, newest first.
         * @description For the role operator and those above it.
         */
        get: operations["list_user_transactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{user}/coins/unfreeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a frozen account move again, with the balance that its entries say.
         * @description For the role operator and those above it.
         */
        post: operations["unfreeze_coins"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{user}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Take away everything the service holds about a user: the same as their own export.
         * @description For the role owner and those above it.
         */
        get: operations["export_user"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{user}/leave-rooms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a user out of every room. They may come back; a ban of the user keeps them out.
         * @description It is done one room after the other, shortly after this answer.
         *
         *     For the role moderator and those above it.
         */
        post: operations["remove_from_all_rooms"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{user}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what operators noted about a user, newest first.
         * @description For the role moderator and those above it.
         */
        get: operations["list_user_notes"];
        put?: never;
        /**
         * Note something about a user for other operators. The user's own export has it, without who wrote it.
         * @description For the role moderator and those above it.
         */
        post: operations["add_user_note"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{user}/predictions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's predictions, newest first.
         * @description For the role viewer and those above it.
         */
        get: operations["list_user_predictions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{user}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's sessions with their devices, newest first.
         * @description For the role moderator and those above it.
         */
        get: operations["list_user_sessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{user}/sessions/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End all sessions of a user, or one.
         * @description For the role moderator and those above it.
         */
        post: operations["end_user_sessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{user}/unban": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a user's ban.
         * @description For the role moderator and those above it.
         */
        post: operations["unban_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks.
         * @description For the role operator and those above it.
         */
        get: operations["list_webhooks"];
        put?: never;
        /**
         * Add a webhook.
         * @description It hears of everything that happens from now on, signed as Standard Webhooks has it.
         *
         *     For the role owner and those above it.
         */
        post: operations["add_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/{webhook}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a webhook.
         * @description For the role operator and those above it.
         */
        delete: operations["remove_webhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/{webhook}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a webhook's deliveries of the last week, newest first.
         * @description For the role operator and those above it.
         */
        get: operations["list_webhook_deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/{webhook}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send messages again.
         * @description For the role operator and those above it.
         */
        post: operations["replay_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the users whom I have blocked. */
        get: operations["list_blocked_users"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/chat-room": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a chat room, of which I am the first member.
         * @description With an `Idempotency-Key` header the same request twice makes one room.
         */
        post: operations["create_chat_room"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/chat-rooms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List chat rooms, the liveliest first.
         * @description Public rooms, and private ones that I am in or invited to. The rooms of matches long over are left out unless I am in them or
         *     ask for their match. A message moves its room up within a quarter of a second.
         */
        get: operations["list_chat_rooms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/chat-rooms/{room}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show one chat room: any public one, or a private one that I am in or invited to. */
        get: operations["show_chat_room"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/chat-rooms/{room}/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Invite a user to a chat room that I am in. */
        post: operations["invite_to_chat_room"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/chat-rooms/{room}/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Join a chat room. */
        post: operations["join_chat_room"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/chat-rooms/{room}/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Leave a chat room, or turn an invitation down. */
        post: operations["leave_chat_room"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/chat-rooms/{room}/member-stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show statistics of a room's members. */
        get: operations["show_member_stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/chat-rooms/{room}/predictions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the predictions of a room: on its match, by its members; in the room of a match, all of that match. */
        get: operations["list_room_predictions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/chat-rooms/{room}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report a message or a user in a room to the operators. */
        post: operations["report_chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/coins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show my balance and my streak. */
        get: operations["show_coins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/coins/deduct": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deduct coins for a purchase or a wager.
         * @description With an `Idempotency-Key` the same request has its effect once, however often it is sent.
         */
        post: operations["deduct_coins"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/coins/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List my transactions, newest first. */
        get: operations["list_coin_transactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/daily-coins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Claim the daily bonus, once for each UTC date. */
        post: operations["claim_daily_coins"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List my devices. */
        get: operations["list_devices"];
        put?: never;
        /** Register this device for messages, or say anew what is known of it. It is forgotten with this login. */
        post: operations["register_device"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/devices/{device}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove one of my devices. */
        delete: operations["remove_device"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events: live ones by start, then scheduled ones by start, then finished ones, latest first.
         * @description Voided events are not listed.
         */
        get: operations["list_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/events/{event}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show one event, also a voided one. */
        get: operations["show_event"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/events/{event}/predictions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the predictions on a match, oldest first: all of them, or a page if one is asked for.
         * @description The filters apply to `data` and `meta`. The figures of `meta` are of all pages together. Where the operator hides predictions
         *     until kick-off, `data` has only the caller's own before, and `meta` counts everybody's.
         */
        get: operations["list_event_predictions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Take away everything the service holds about me. */
        get: operations["export_account"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/leaderboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a leaderboard: of everything, of a tournament, of one match or of the members of a chat room. */
        get: operations["show_leaderboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/leagues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List my leagues, or those that anybody may join. */
        get: operations["list_leagues"];
        put?: never;
        /**
         * Make a league, of which I am the owner and first member.
         * @description The answer has a code and a link: whoever has either can join. With an `Idempotency-Key` the same request makes one league, however
         *     often it is sent.
         */
        post: operations["create_league"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/leagues/codes/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the league of a code, to ask somebody whether they want to join.
         * @description A code that is no league's counts: after twenty in an hour none is looked at.
         */
        get: operations["show_league_of_code"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/leagues/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Join a league by its code. My predictions count from its first week on. */
        post: operations["join_league_by_code"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/leagues/{league}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a league that I am in, or that anybody may join. */
        get: operations["show_league"];
        put?: never;
        post?: never;
        /** Close a league of mine: nobody joins, nothing counts any more, and its table stays. */
        delete: operations["close_league"];
        options?: never;
        head?: never;
        /**
         * Change a league of mine; what is absent stays.
         * @description If it counts by something else then, its table is reckoned anew, which takes a second or two for ten thousand members.
         */
        patch: operations["change_league"];
        trace?: never;
    };
    "/api/auth/leagues/{league}/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Come into the chat room of a league that I am in, after having left it. Whoever joins a league comes in by themselves. */
        post: operations["enter_league_chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/leagues/{league}/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take a new code for a league; the old one lets nobody in any more. */
        post: operations["renew_league_code"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/leagues/{league}/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Join a league that anybody may join. */
        post: operations["join_public_league"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/leagues/{league}/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Leave a league. Its owner hands it over first, or closes it. */
        post: operations["leave_league"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/leagues/{league}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the members of a league that I am in, or that anybody may join: the owner, deputies, then the others as they joined. */
        get: operations["list_league_members"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/leagues/{league}/readmit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let somebody in again whom the league had shut out: the code is good for them as for others. */
        post: operations["readmit_to_league"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/leagues/{league}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take somebody out of a league: its owner anybody, a deputy members. */
        post: operations["remove_league_member"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/leagues/{league}/role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a member of my league a deputy, a member again, or the owner in my place. */
        post: operations["set_league_role"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/leagues/{league}/table": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the table of a league that I am in, or that anybody may join.
         * @description In the table of all weeks everybody has a place; in that of one week whoever has a settled prediction.
         */
        get: operations["show_league_table"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/leagues/{league}/weeks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the weeks of a league with those who won them, the latest first. */
        get: operations["list_league_weeks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Log in: the same as verifying a code. */
        post: operations["log_in"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Log out: revoke the session of this token. */
        post: operations["log_out"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/matrix-credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get chat credentials for this session.
         * @description For an app whose login was answered with `matrix_credentials: null`, or that lost its chat token. The session gets a new
         *     device; the one it had ends.
         */
        post: operations["issue_matrix_credentials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show my own account. */
        get: operations["show_me"];
        put?: never;
        post?: never;
        /**
         * Delete my account, for good.
         * @description Frees the phone number, revokes every token and closes the chat account. What others rely on stays under a pseudonym, and
         *     the username is taken for ever, since it names a chat account that can never be opened again. Who comes back with the same
         *     phone gets no second welcome coins.
         */
        delete: operations["delete_account"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show what the caller's predictions add up to. */
        get: operations["show_my_statistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/predictions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the caller's own predictions, newest first: all of them, or a page if one is asked for. */
        get: operations["list_my_predictions"];
        put?: never;
        /**
         * Predict a match, or replace the prediction until kick-off.
         * @description The first prediction on a match answers 201. Posting again replaces it as a whole and answers 200. From kick-off on, and for
         *     a void match, it is 400 with the code `event_started`.
         */
        post: operations["create_prediction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/predictions/{prediction}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a prediction and say why it earned what it earned. */
        get: operations["show_prediction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/push/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show by which key browsers subscribe, and which devices can be reached. */
        get: operations["show_push_key"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/push/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show what I want to be told, and when. */
        get: operations["show_push_settings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Say what I want to be told, and when; what is absent stays. */
        patch: operations["change_push_settings"];
        trace?: never;
    };
    "/api/auth/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List questions with my answers. */
        get: operations["list_questions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/questions/{question}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a question with my answer. */
        get: operations["show_question"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/questions/{question}/tip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Answer a question, or answer it otherwise than before. Until its deadline nobody else sees it. */
        put: operations["answer_question"];
        post?: never;
        /** Take my answer to a question back. */
        delete: operations["take_answer_back"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/questions/{question}/tips": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what everybody answered to a question that is closed. */
        get: operations["list_question_tips"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/resend-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a pending code again.
         * @description Without a token, for a pending login; with one, for my pending phone verification.
         */
        post: operations["resend_code"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List my sessions, newest first. */
        get: operations["list_sessions"];
        put?: never;
        post?: never;
        /** Revoke all my sessions but this one. */
        delete: operations["revoke_other_sessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions/{session}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke one of my sessions. */
        delete: operations["revoke_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List sports by name. */
        get: operations["list_sports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow matches, and what happens to oneself, live, as server-sent events.
         * @description Of matches: `status`, `score`, `predictions` and `settlement`; their data is a JSON object with `event_id`. Of the caller alone:
         *     `prediction` when a match is settled (`event_id`, `prediction_id`, `points_earned`, `settlement`), `coins` when coins moved (as in the
         *     list of transactions), and `room` when somebody invited or removed them (`room_id`, `name`, `change`, `by`, `created_at`).
         *     Come back with `Last-Event-ID` to miss nothing; `reset` says that what was missed is no longer kept. The stream ends now and then by itself:
         *     come back then. A browser's `EventSource` cannot send the token; the JavaScript client reads the stream with `fetch` and comes back
         *     by itself.
         */
        get: operations["open_stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List teams by name. */
        get: operations["list_teams"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/teams/other": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Save my other favourite teams, in place of those before. */
        post: operations["save_other_teams"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/teams/primary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Save my primary team, in place of the one before. */
        post: operations["save_primary_team"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/tournaments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List tournaments by name. */
        get: operations["list_tournaments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/tournaments/{tournament}/match-days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the UTC days on which a tournament has matches, in order, for a calendar.
         * @description `GET /api/auth/events` with `tournament_id` and `date` lists the matches of a day. Voided ones are in neither.
         */
        get: operations["list_match_days"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/update-user-info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Update my profile: any of the fields, at least one. */
        post: operations["update_user_info"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/username/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check whether a username is free.
         * @description The name of an account that was deleted or renamed is taken for ever.
         */
        post: operations["check_username"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/username/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Suggest usernames that grow from a base. */
        post: operations["generate_usernames"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/users/{user}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show what everybody may know of a user: who they are, their team, how well they predict. */
        get: operations["show_user"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/users/{user}/block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Block a user: they cannot invite me, and my chat apps hide what they write. */
        post: operations["block_user"];
        /** Unblock a user. */
        delete: operations["unblock_user"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/verify-phone": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Complete a phone verification. */
        post: operations["verify_phone"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/verify-phone/initiate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to verify a phone for my account.
         * @description Verifying a new number moves the account to it.
         */
        post: operations["initiate_phone_verification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/code/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Request a login code by SMS. */
        post: operations["request_code"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/code/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Verify a code and log in. */
        post: operations["verify_code"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logs/sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the SMS log, newest first. Not there in production. */
        get: operations["list_sms_log"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/matches/today": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List today's matches without logging in: live ones, then those of this UTC day that are to come, then its finished ones.
         * @description Each is as in the list of events, in the same order, and there are at most 100. The answer may be kept for two seconds and has an
         *     `ETag`: ask with `If-None-Match`, and what has not changed is a 304 without a body. Where the operator has not switched it on
         *     (`public_matches`), the path is unknown.
         */
        get: operations["list_todays_matches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/crests/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Draw a crest.
         * @description Every slug has its own, in colours that stay the same; a team without a logo of its own can be given
         *     `/crests/<slug>.svg` in the catalogue.
         */
        get: operations["show_crest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Is the process alive?
         * @description Answers without touching the database, so that a slow database does not get the process restarted.
         */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Should requests be sent here?
         * @description Checks the parts the service stands on, once a second at most, and says which is degraded.
         */
        get: operations["readiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description What every failed request answers. */
        AlreadyAMemberError: {
            /**
             * @description A name for programs; it does not change.
             * @example already_a_member
             * @enum {string}
             */
            code: "already_a_member";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /**
         * Format: int64
         * @description 1 to 1,000,000,000 coins.
         * @example 30
         */
        Amount: number;
        /** @description What every failed request answers. */
        AnswerQuestion400Error: {
            /**
             * @description A name for programs; it does not change.
             * @example malformed_request
             * @enum {string}
             */
            code: "malformed_request" | "question_closed";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        AnswerQuestion429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_request_limit" | "too_many_tips";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description Where the page lies, beside other fields of a `meta`; nothing where the list is sent whole. */
        AskedPageMeta: {
            /**
             * Format: int64
             * @description The page that this is, from 1. This and the three that follow are there if `page` or `per_page` is given.
             * @example 1
             */
            current_page?: number;
            /**
             * Format: int64
             * @description The last page that has anything; 1 for an empty list.
             * @example 7
             */
            last_page?: number;
            /**
             * Format: int64
             * @description How many a page has at most.
             * @example 20
             */
            per_page?: number;
            /**
             * Format: int64
             * @description How many there are on all pages.
             * @example 128
             */
            total?: number;
        };
        AuditView: {
            /** @example event.result */
            action: string;
            /** @description How it is since; null where it is gone. */
            after: Record<string, never> | null;
            /** @description How it was, where something changed; null where it was not there. */
            before: Record<string, never> | null;
            /** Format: date-time */
            created_at: string;
            /** @description What was asked for, and what came of it. */
            detail: Record<string, never>;
            /** Format: int64 */
            id: number;
            /**
             * @description The name of the operator's token.
             * @example ana
             */
            operator: string;
            operator_id: components["schemas"]["OperatorId"] | null;
            /**
             * @description The operator's role; null for what was written before there were roles.
             * @example moderator
             */
            operator_role: string | null;
            /** @example event 12 */
            subject: string;
        };
        AvailabilityView: {
            available: boolean;
            /** @example This username is taken. */
            message: string;
            /** @description Only for a taken name: five free ones. */
            suggestions?: components["schemas"]["Username"][];
        };
        /** @description How much work there is in a lane. */
        Backlog: {
            /**
             * Format: int64
             * @description Jobs that failed and are tried again after a pause.
             */
            failing: number;
            /**
             * Format: int64
             * @description How long the oldest job that is due has been waiting for a worker.
             */
            lag_ms: number;
            lane: components["schemas"]["Lane"];
            /** Format: int64 */
            running: number;
            /**
             * Format: int64
             * @description Jobs that wait for their time or for a worker.
             */
            waiting: number;
        };
        BanBody: {
            /**
             * Format: int64
             * @description The same, from now on: 1 to 5,256,000, which is ten years.
             * @example 1440
             */
            minutes?: number | null;
            reason?: components["schemas"]["BanReason"] | null;
            /**
             * Format: date-time
             * @description When the ban ends by itself; never when this and `minutes` are absent.
             */
            until?: string | null;
        };
        /** @description What every failed request answers. */
        BanMember503Error: {
            /**
             * @description A name for programs; it does not change.
             * @example chat_unavailable
             * @enum {string}
             */
            code: "chat_unavailable" | "clock_differs" | "database_unavailable" | "overloaded" | "stopping" | "timeout";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /**
         * @description Why somebody is banned, 1 to 500 characters. Operators read it, and the user's export has it.
         * @example Insults in three rooms
         */
        BanReason: string;
        BanView: {
            /**
             * Format: date-time
             * @description Since when; null for a user who is not banned.
             */
            banned_at: string | null;
            /**
             * Format: date-time
             * @description Until when; null for a ban that does not end by itself.
             */
            banned_until: string | null;
            id: components["schemas"]["UserId"];
            /** @example Insults in three rooms */
            reason: string | null;
        };
        /** @description What every failed request answers. */
        BannedError: {
            /**
             * @description A name for programs; it does not change.
             * @example banned
             * @enum {string}
             */
            code: "banned";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /**
         * @description What suggestions grow from: the usable part of whatever somebody typed.
         * @example ada
         */
        Base: string;
        BlockedView: {
            id: components["schemas"]["UserId"];
            username: string;
        };
        /** @description What every failed request answers. */
        BodyTooLargeError: {
            /**
             * @description A name for programs; it does not change.
             * @example body_too_large
             * @enum {string}
             */
            code: "body_too_large";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        BoundTeamView: {
            id: components["schemas"]["TeamId"];
            /** @example Northgate FC */
            name: string;
        };
        /** @description A team where only its face is needed. */
        BriefTeamView: {
            id: components["schemas"]["TeamId"];
            /**
             * @description Absent when there is none.
             * @example https://app.example.org/crests/northgate_fc.svg
             */
            logo?: string;
            /** @example Northgate FC */
            name: string;
        };
        BriefTournamentView: {
            id: components["schemas"]["TournamentId"];
            /** @description Absent when there is none. */
            logo?: string;
            /** @example Demo League */
            name: string;
        };
        /** @description A user as others see them. */
        BriefUserView: {
            id: components["schemas"]["UserId"];
            /**
             * @description Null if they gave none.
             * @example Sam Carter
             */
            name: string | null;
            /** @example northgate_fan */
            username: string;
        };
        /**
         * @description 1 to 300 characters.
         * @example Answer the special tips until Friday.
         */
        BroadcastBody: string;
        /**
         * Format: int64
         * @example 2
         */
        BroadcastId: number;
        /**
         * @description 1 to 60 characters.
         * @example The cup begins
         */
        BroadcastTitle: string;
        BroadcastView: {
            body: components["schemas"]["BroadcastBody"];
            /** Format: date-time */
            created_at: string;
            id: components["schemas"]["BroadcastId"];
            league_id: components["schemas"]["LeagueId"] | null;
            /**
             * Format: date-time
             * @description When everybody was found who is to be told; null while they are looked for.
             */
            planned_at: string | null;
            /**
             * Format: int64
             * @description How many that is so far.
             * @example 2304
             */
            recipients: number;
            team_id: components["schemas"]["TeamId"] | null;
            title: components["schemas"]["BroadcastTitle"];
        };
        CalibrationView: {
            /**
             * Format: double
             * @description The share that was right, 0 to 1.
             * @example 0.75
             */
            accuracy: number;
            /**
             * Format: int64
             * @example 6
             */
            correct: number;
            /**
             * Format: int64
             * @description The range of confidence, in percent.
             * @example 70
             */
            from: number;
            /**
             * Format: int64
             * @example 8
             */
            predictions: number;
            /**
             * Format: int64
             * @example 79
             */
            to: number;
        };
        CallerView: {
            /**
             * Format: date-time
             * @description Null for one that does not end by itself.
             */
            expires_at: string | null;
            id: components["schemas"]["OperatorId"] | null;
            /** @example ana */
            name: string;
            role: components["schemas"]["Role"];
        };
        /** @description What every failed request answers. */
        CannotBlockYourselfError: {
            /**
             * @description A name for programs; it does not change.
             * @example cannot_block_yourself
             * @enum {string}
             */
            code: "cannot_block_yourself";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        ChangeLeague400Error: {
            /**
             * @description A name for programs; it does not change.
             * @example league_closed
             * @enum {string}
             */
            code: "league_closed" | "malformed_request";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        ChangeLeague403Error: {
            /**
             * @description A name for programs; it does not change.
             * @example banned
             * @enum {string}
             */
            code: "banned" | "league_role";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        ChangeQuestion400Error: {
            /**
             * @description A name for programs; it does not change.
             * @example malformed_request
             * @enum {string}
             */
            code: "malformed_request" | "question_decided";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        ChangedMeanwhileError: {
            /**
             * @description A name for programs; it does not change.
             * @example changed_meanwhile
             * @enum {string}
             */
            code: "changed_meanwhile";
            /** @description Only where a program needs more than the code to go on; the call says what it has. */
            details?: Record<string, never>;
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        ChatRoomBody: {
            event_id?: components["schemas"]["EventId"] | null;
            /** @description A private room is encrypted and joined by invitation; false when absent. */
            is_private?: boolean | null;
            name: components["schemas"]["RoomName"];
            topic?: components["schemas"]["Topic"] | null;
        };
        ChatRoomView: {
            creator_id: components["schemas"]["UserId"] | null;
            event_id: components["schemas"]["EventId"] | null;
            is_encrypted: boolean;
            /**
             * @description `public` or `invite`.
             * @example public
             */
            join_rule: string;
            name: string;
            /** @example !h8vBmRzYKqWdPnXcLt:localhost */
            room_id: string;
            topic: string;
        };
        ChatView: {
            /**
             * Format: int64
             * @description Accounts on the chat network that are not yet as they should be.
             * @example 0
             */
            accounts_behind: number;
            /**
             * Format: int64
             * @description For how long the first of them has waited.
             * @example 0
             */
            lag_ms: number;
            /**
             * Format: int64
             * @description Reports that nobody has resolved.
             * @example 0
             */
            open_reports: number;
        };
        ChecksView: {
            /**
             * @description `ok` or `differs`: the node's clock is more than a second from the database's, so it decides nothing by it.
             * @example ok
             */
            clock: string;
            /**
             * Format: int64
             * @description How far it is ahead, or behind if negative; null with the embedded database.
             * @example 3
             */
            clock_difference_ms: number | null;
            /**
             * @description `ok` or `unavailable`.
             * @example ok
             */
            database: string;
            /**
             * @description `ok` or `unavailable`; without it everything but chat is served.
             * @example ok
             */
            homeserver: string;
        };
        /** @description What every failed request answers. */
        ClaimDailyCoins400Error: {
            /**
             * @description A name for programs; it does not change.
             * @example already_claimed
             * @enum {string}
             */
            code: "already_claimed" | "balance_limit";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        ClaimDailyCoins429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_request_limit" | "daily_claim_limit";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        ClaimDailyCoins503Error: {
            /**
             * @description A name for programs; it does not change.
             * @example account_frozen
             * @enum {string}
             */
            code: "account_frozen" | "clock_differs" | "database_unavailable" | "overloaded" | "stopping" | "timeout";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        ClaimedView: {
            /**
             * Format: int64
             * @description The whole grant, with the bonus for the streak.
             * @example 60
             */
            coins_awarded: number;
            /**
             * Format: int64
             * @example 560
             */
            new_balance: number;
            /**
             * Format: date-time
             * @description Midnight UTC.
             */
            next_claim_at: string;
            /**
             * Format: int64
             * @description The part of the grant that is for the streak.
             * @example 10
             */
            streak_bonus: number;
            /**
             * Format: int64
             * @description Days claimed in a row, today included.
             * @example 2
             */
            streak_days: number;
        };
        /** @description What every failed request answers. */
        CloseLeague403Error: {
            /**
             * @description A name for programs; it does not change.
             * @example banned
             * @enum {string}
             */
            code: "banned" | "league_role";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /**
         * @description Why an operator closes a league: 1 to 500 characters.
         * @example Sells tickets
         */
        ClosingReason: string;
        /**
         * @description Digits as somebody typed them; only six of them can be right. `Debug` shows nothing.
         * @example 123456
         */
        Code: string;
        CoinsView: {
            /**
             * Format: int64
             * @example 560
             */
            balance: number;
            can_claim: boolean;
            /**
             * Format: int64
             * @description What a claim at the first opportunity gives.
             * @example 70
             */
            next_claim_amount: number;
            /**
             * Format: date-time
             * @description The beginning of the next day that can be claimed; not in the future if `can_claim`.
             */
            next_claim_at: string;
            /**
             * Format: int64
             * @description Days claimed in a row; 0 once a day was missed.
             * @example 2
             */
            streak_days: number;
        };
        /**
         * Format: int64
         * @description How sure somebody is of their outcome, in percent.
         * @example 75
         */
        Confidence: number;
        /** @description What every failed request answers. */
        CorrectCoins400Error: {
            /**
             * @description A name for programs; it does not change.
             * @example balance_limit
             * @enum {string}
             */
            code: "balance_limit" | "insufficient_balance" | "malformed_request";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        CorrectCoins503Error: {
            /**
             * @description A name for programs; it does not change.
             * @example account_frozen
             * @enum {string}
             */
            code: "account_frozen" | "clock_differs" | "database_unavailable" | "overloaded" | "stopping" | "timeout";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        CorrectedView: {
            /**
             * Format: int64
             * @example 30
             */
            amount: number;
            /**
             * Format: int64
             * @example 500
             */
            new_balance: number;
            /**
             * Format: int64
             * @example 470
             */
            previous_balance: number;
            transaction_id: components["schemas"]["TransferId"];
        };
        CorrectionBody: {
            amount: components["schemas"]["SignedAmount"];
            reason: components["schemas"]["CorrectionReason"];
        };
        /**
         * @description Why an operator corrects a balance, in their own words; the user sees it. 1 to 255 characters.
         * @example refund of a double charge
         */
        CorrectionReason: string;
        CountryProviderView: components["schemas"]["OutcomesView"] & {
            /** @example twilio */
            name: string;
        };
        /**
         * @description A table into which a question's points count. Those with a period count it where its deadline is.
         * @example global
         * @enum {string}
         */
        CountsIn: "global" | "season" | "month" | "week" | "tournament" | "tournament_month" | "tournament_week" | "leagues";
        /** @description What every failed request answers. */
        CreateChatRoom429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_request_limit" | "too_many_rooms";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        CreateChatRoom503Error: {
            /**
             * @description A name for programs; it does not change.
             * @example chat_unavailable
             * @enum {string}
             */
            code: "chat_unavailable" | "clock_differs" | "database_unavailable" | "overloaded" | "stopping" | "timeout";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        CreateLeague400Error: {
            /**
             * @description A name for programs; it does not change.
             * @example malformed_request
             * @enum {string}
             */
            code: "malformed_request" | "too_many_leagues";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        CreateLeague429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_request_limit" | "too_many_new_leagues";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        CreatePrediction400Error: {
            /**
             * @description A name for programs; it does not change.
             * @example event_started
             * @enum {string}
             */
            code: "event_started" | "malformed_request";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        CreatedView: {
            confidence: components["schemas"]["Confidence"];
            /** Format: date-time */
            created_at: string;
            event_id: components["schemas"]["EventId"];
            id: components["schemas"]["PredictionId"];
            /**
             * Format: int64
             * @description Null until the match is over and settled.
             */
            points_earned: number | null;
            prediction: components["schemas"]["Outcome"];
            score_prediction: components["schemas"]["ScorePair"] | null;
            user_id: components["schemas"]["UserId"];
        };
        /** @description What an app needs to speak to the chat network as its user. */
        Credentials: {
            /** @description A secret; the service keeps no copy. */
            access_token: string;
            /** @example TLQ7WZK3BX */
            device_id: string;
            /** @example @ada_fan:localhost */
            user_id: string;
        };
        CredentialsView: {
            matrix_credentials: components["schemas"]["Credentials"];
        };
        /** @description `{"data": ...}` */
        Data_CallerView: {
            data: components["schemas"]["CallerView"];
        };
        /** @description `{"data": ...}` */
        Data_CoinsView: {
            data: components["schemas"]["CoinsView"];
        };
        /** @description `{"data": ...}` */
        Data_CredentialsView: {
            data: components["schemas"]["CredentialsView"];
        };
        /** @description `{"data": ...}` */
        Data_EventDetailView: {
            data: components["schemas"]["EventDetailView"];
        };
        /** @description `{"data": ...}` */
        Data_InvitationView: {
            data: components["schemas"]["InvitationView"];
        };
        /** @description `{"data": ...}` */
        Data_LeagueView: {
            data: components["schemas"]["LeagueView"];
        };
        /** @description `{"data": ...}` */
        Data_LoginView: {
            data: components["schemas"]["LoginView"];
        };
        /** @description `{"data": ...}` */
        Data_MeView: {
            data: components["schemas"]["MeView"];
        };
        /** @description `{"data": ...}` */
        Data_MemberStatsView: {
            data: components["schemas"]["MemberStatsView"];
        };
        /** @description `{"data": ...}` */
        Data_NewWebhookView: {
            data: components["schemas"]["NewWebhookView"];
        };
        /** @description `{"data": ...}` */
        Data_NoteView: {
            data: components["schemas"]["NoteView"];
        };
        /** @description `{"data": ...}` */
        Data_OverviewView: {
            data: components["schemas"]["OverviewView"];
        };
        /** @description `{"data": ...}` */
        Data_PersonView: {
            data: components["schemas"]["PersonView"];
        };
        /** @description `{"data": ...}` */
        Data_PredictionDetailView: {
            data: components["schemas"]["PredictionDetailView"];
        };
        /** @description `{"data": ...}` */
        Data_PreviewView: {
            data: components["schemas"]["PreviewView"];
        };
        /** @description `{"data": ...}` */
        Data_PublicProfileView: {
            data: components["schemas"]["PublicProfileView"];
        };
        /** @description `{"data": ...}` */
        Data_PushKeyView: {
            data: components["schemas"]["PushKeyView"];
        };
        /** @description `{"data": ...}` */
        Data_PushView: {
            data: components["schemas"]["PushView"];
        };
        /** @description `{"data": ...}` */
        Data_QuestionView: {
            data: components["schemas"]["QuestionView"];
        };
        /** @description `{"data": ...}` */
        Data_ReplayView: {
            data: components["schemas"]["ReplayView"];
        };
        /** @description `{"data": ...}` */
        Data_SettingsView: {
            data: components["schemas"]["SettingsView"];
        };
        /** @description `{"data": ...}` */
        Data_ShownRoomView: {
            data: components["schemas"]["ShownRoomView"];
        };
        /** @description `{"data": ...}` */
        Data_SignInView: {
            data: components["schemas"]["SignInView"];
        };
        /** @description `{"data": ...}` */
        Data_SmsFiguresView: {
            data: components["schemas"]["SmsFiguresView"];
        };
        /** @description `{"data": ...}` */
        Data_StatisticsView: {
            data: components["schemas"]["StatisticsView"];
        };
        /** @description `{"data": ...}` */
        Data_TreasuryView: {
            data: components["schemas"]["TreasuryView"];
        };
        /** @description `{"data": ...}` */
        Data_Vec_BlockedView: {
            data: components["schemas"]["BlockedView"][];
        };
        /** @description `{"data": ...}` */
        Data_Vec_DeskMatchView: {
            data: components["schemas"]["DeskMatchView"][];
        };
        /** @description `{"data": ...}` */
        Data_Vec_DeviceView: {
            data: components["schemas"]["DeviceView"][];
        };
        /** @description `{"data": ...}` */
        Data_Vec_EventView: {
            data: components["schemas"]["EventView"][];
        };
        /** @description `{"data": ...}` */
        Data_Vec_FeedView: {
            data: components["schemas"]["FeedView"][];
        };
        /** @description `{"data": ...}` */
        Data_Vec_NodeView: {
            data: components["schemas"]["NodeView"][];
        };
        /** @description `{"data": ...}` */
        Data_Vec_SessionView: {
            data: components["schemas"]["SessionView"][];
        };
        /** @description `{"data": ...}` */
        Data_Vec_SmsLogView: {
            data: components["schemas"]["SmsLogView"][];
        };
        /** @description `{"data": ...}` */
        Data_Vec_UserSessionView: {
            data: components["schemas"]["UserSessionView"][];
        };
        /** @description `{"data": ...}` */
        Data_Vec_WebhookView: {
            data: components["schemas"]["WebhookView"][];
        };
        /** @description `{"data": ...}` */
        Data_WholeMatchView: {
            data: components["schemas"]["WholeMatchView"];
        };
        /** @description `{"data": ...}` */
        Data_WholeReport: {
            data: components["schemas"]["WholeReport"];
        };
        /** @description `{"data": ...}` */
        Data_WholeRoomView: {
            data: components["schemas"]["WholeRoomView"];
        };
        /**
         * Format: date
         * @description A date that exists, written YYYY-MM-DD. Whether it is long enough ago depends on today and the settings.
         * @example 1990-12-10
         */
        DateOfBirth: string;
        DeductBody: {
            amount: components["schemas"]["Amount"];
            reason: components["schemas"]["Reason"];
            reference_id?: components["schemas"]["ReferenceId"] | null;
        };
        /** @description What every failed request answers. */
        DeductCoins400Error: {
            /**
             * @description A name for programs; it does not change.
             * @example insufficient_balance
             * @enum {string}
             */
            code: "insufficient_balance" | "malformed_request";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        DeductCoins503Error: {
            /**
             * @description A name for programs; it does not change.
             * @example account_frozen
             * @enum {string}
             */
            code: "account_frozen" | "clock_differs" | "database_unavailable" | "overloaded" | "stopping" | "timeout";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        DeductedView: {
            /**
             * Format: int64
             * @example 30
             */
            amount_deducted: number;
            /**
             * Format: int64
             * @example 470
             */
            new_balance: number;
            /**
             * Format: int64
             * @example 500
             */
            previous_balance: number;
            transaction_id: components["schemas"]["TransferId"];
        };
        DeliveryView: {
            /** Format: int64 */
            attempts: number;
            /** Format: date-time */
            created_at: string;
            error: string | null;
            /** Format: int64 */
            feed_id: number;
            /** @example score */
            kind: string;
            /**
             * @description `waiting`, `delivered` or `failing`.
             * @example delivered
             */
            state: string;
            /** Format: date-time */
            updated_at: string;
        };
        DeskMatchView: components["schemas"]["EventDetailView"] & {
            /** @description What needs a person; nothing of a match that is well. */
            needs: components["schemas"]["Need"][];
            /**
             * Format: date-time
             * @description When the result was entered or last changed.
             */
            result_at: string | null;
            /** @description What providers say of it. */
            sources: components["schemas"]["MatchSourceView"][];
            /**
             * @description To send as `If-Match`, in quotes, with a change that was decided by this.
             * @example 6b86b273d4735e3a4e07408562bedb8b60ce05c1decfe3ad16b7223018de3d9f4a9b1c2d
             */
            version: string;
        };
        DeskMemberView: {
            /**
             * Format: date-time
             * @description When they last wrote or joined.
             */
            last_active_at: string;
            /** @example @ada:localhost */
            matrix_id: string;
            /** @example join */
            membership: string;
            user_id: components["schemas"]["UserId"] | null;
            /** @example ada */
            username: string | null;
        };
        DeskRoomView: {
            /** Format: date-time */
            created_at: string;
            creator_id: components["schemas"]["UserId"] | null;
            event_id: components["schemas"]["EventId"] | null;
            /** @description Nobody but its members reads what is said in it. */
            is_encrypted: boolean;
            /** @description Whether it is the room of the match itself. */
            is_event_room: boolean;
            /**
             * @description `public` or `invite`.
             * @example public
             */
            join_rule: string;
            /** Format: date-time */
            last_activity: string;
            /**
             * Format: int64
             * @example 312
             */
            member_count: number;
            name: string;
            /** @example !h8vBmRzYKqWdPnXcLt:localhost */
            room_id: string;
            topic: string;
        };
        DeviceBody: {
            /**
             * @description Of a browser the `endpoint` of its subscription; of Firebase and Apple the device's token; otherwise an https address that takes a
             *     POST with the message as JSON.
             * @example https://push.example.org/send/abc
             */
            address: string;
            /**
             * @description Of a browser: its subscription's `keys.auth`.
             * @example BTBZMqHH6r4Tts7J_aSIgg
             */
            auth?: string | null;
            kind: components["schemas"]["DeviceKind"];
            name?: components["schemas"]["DeviceName"] | null;
            /**
             * @description Of a browser: its subscription's `keys.p256dh`.
             * @example BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4
             */
            p256dh?: string | null;
            zone?: components["schemas"]["Zone"] | null;
        };
        /** @description Devices of a sort, and how many of them its service takes nothing for. */
        DeviceCountView: {
            /**
             * Format: int64
             * @example 4107
             */
            devices: number;
            /**
             * Format: int64
             * @example 3
             */
            failing: number;
            /** @description Whether the settings name a way to them. */
            is_set_up: boolean;
            kind: components["schemas"]["DeviceKind"];
        };
        /**
         * Format: int64
         * @example 5
         */
        DeviceId: number;
        /**
         * @description By which service a device is reached.
         * @example webpush
         * @enum {string}
         */
        DeviceKind: "webpush" | "fcm" | "apns" | "http";
        /**
         * @description 1 to 100 characters, by which its owner knows a device.
         * @example Ada's phone
         */
        DeviceName: string;
        DeviceView: {
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Since when, and why, its service takes none: `refused`, `later`, `bad_key` or `not_set_up`.
             */
            failed_at: string | null;
            /** @example later */
            failure: string | null;
            id: components["schemas"]["DeviceId"];
            kind: components["schemas"]["DeviceKind"];
            name: components["schemas"]["DeviceName"] | null;
            /**
             * @description By which a pusher at the homeserver names this device, as long as it is mine. A secret: whoever has it can tell me something.
             * @example 5.1.0f9c3a5be8d2471660a1f4c7be20d935
             */
            pushkey: string;
            /**
             * Format: date-time
             * @description When it took a message last.
             */
            sent_at: string | null;
        };
        /** @description One match that is not left as it is. */
        Difference: {
            effect: components["schemas"]["Effect"];
            /** Format: int64 */
            event_id: number | null;
            /**
             * @description The provider's id of the match.
             * @example 537801
             */
            external_id: string;
            fields: components["schemas"]["FieldChange"][];
            /** @description Whether it is held because two providers tell different results. */
            is_disagreement: boolean;
            /** @description Why it is held. */
            reason: string | null;
            /** @example Northgate FC - Southbank FC */
            title: string;
        };
        DiscoveryView: {
            "m.homeserver": components["schemas"]["HomeserverView"];
        };
        Distribution: {
            /**
             * Format: int64
             * @example 38
             */
            away: number;
            /**
             * Format: int64
             * @example 20
             */
            draw: number;
            /**
             * Format: int64
             * @example 70
             */
            home: number;
        };
        /** @description Everything that is played, or a part of it. */
        Document: {
            events?: components["schemas"]["EventItem"][] | null;
            sports?: components["schemas"]["SportItem"][] | null;
            teams?: components["schemas"]["TeamItem"][] | null;
            tournaments?: components["schemas"]["TournamentItem"][] | null;
        };
        /**
         * @example created
         * @enum {string}
         */
        Effect: "created" | "changed" | "held";
        /**
         * @description An address with one `@`, a local part and a domain with a dot, at most 254 characters.
         * @example ada@example.org
         */
        Email: string;
        /** @description What every failed request answers. */
        EndLeague400Error: {
            /**
             * @description A name for programs; it does not change.
             * @example league_closed
             * @enum {string}
             */
            code: "league_closed" | "malformed_request";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        EndSessionsBody: {
            /**
             * Format: int64
             * @description Only this one; all when absent.
             */
            session_id?: number | null;
        };
        EndedSessionsView: {
            /**
             * Format: int64
             * @description How many sessions ended.
             * @example 2
             */
            ended: number;
        };
        /** @description What every failed request answers. */
        EnterResult422Error: {
            /**
             * @description A name for programs; it does not change.
             * @example event_void
             * @enum {string}
             */
            code: "event_void" | "validation_failed";
            /** @description Only when validation failed: the sentences by field. */
            errors?: {
                [key: string]: string[];
            };
            /**
             * @description A sentence for people; it may change.
             * @example The given data is not valid.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        ErrorBody: {
            /**
             * @description A name for programs; it does not change.
             * @example validation_failed
             */
            code: string;
            /** @description Only where a program needs more than the code to go on; the call says what it has. */
            details?: Record<string, never>;
            /** @description Only when validation failed: the sentences by field. */
            errors?: {
                [key: string]: string[];
            };
            /**
             * @description A sentence for people; it may change.
             * @example The given data is not valid.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        EventBody: {
            away_score?: components["schemas"]["Score"] | null;
            home_score?: components["schemas"]["Score"] | null;
            minute?: components["schemas"]["Minute"] | null;
            period?: components["schemas"]["MatchPeriod"] | null;
            start_time?: components["schemas"]["Kickoff"] | null;
            /**
             * @description False postpones the match without a new time: it is `scheduled`, takes predictions and does not go live until a
             *     `start_time` is given, which confirms it.
             */
            start_time_confirmed?: boolean | null;
            status?: components["schemas"]["Status"] | null;
            venue?: components["schemas"]["Venue"] | null;
        };
        /** @description One event with what only matters when it is looked at by itself. */
        EventDetailView: components["schemas"]["EventView"] & {
            /**
             * @description `void` for a match that does not count (its status stays what it was), otherwise null.
             * @example null
             */
            status_detail: string | null;
            void_reason: components["schemas"]["VoidReason"] | null;
        };
        /** @description What every failed request answers. */
        EventExistsError: {
            /**
             * @description A name for programs; it does not change.
             * @example event_exists
             * @enum {string}
             */
            code: "event_exists";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /**
         * Format: int64
         * @example 12
         */
        EventId: number;
        EventItem: {
            away: components["schemas"]["Slug"];
            away_score?: components["schemas"]["Score"] | null;
            home: components["schemas"]["Slug"];
            home_score?: components["schemas"]["Score"] | null;
            key: components["schemas"]["Key"];
            start_time: components["schemas"]["Kickoff"];
            /** @description False for a match that is postponed without a new time; true when absent. */
            start_time_confirmed?: boolean | null;
            status?: components["schemas"]["Status"] | null;
            tournament: components["schemas"]["Slug"];
            venue?: components["schemas"]["Venue"] | null;
        };
        EventPredictionsMeta: components["schemas"]["AskedPageMeta"] & {
            /**
             * Format: double
             * @description Rounded to two places; 0 for none.
             * @example 63.42
             */
            average_confidence: number;
            prediction_distribution: components["schemas"]["Distribution"];
            /**
             * Format: int64
             * @example 128
             */
            total_predictions: number;
        };
        EventView: {
            away_score: components["schemas"]["Score"] | null;
            away_team: components["schemas"]["BriefTeamView"];
            /**
             * @description The match's own chat room; null for the moment until it is there.
             * @example !kNqLsrUgp:localhost
             */
            chat_room_id: string | null;
            home_score: components["schemas"]["Score"] | null;
            home_team: components["schemas"]["BriefTeamView"];
            id: components["schemas"]["EventId"];
            minute: components["schemas"]["Minute"] | null;
            /**
             * Format: date-time
             * @description When it was that minute, so that an app can run the clock from there. Null without a minute.
             * @example 2026-11-20T16:21:00.000Z
             */
            minute_at: string | null;
            period: components["schemas"]["MatchPeriod"] | null;
            /**
             * Format: int64
             * @example 128
             */
            predictions_count: number;
            /**
             * Format: date-time
             * @example 2026-11-20T15:00:00.000Z
             */
            start_time: string;
            /**
             * @description False for a match that is postponed without a new time: `start_time` is the last known one, and the match takes predictions
             *     and does not go live until another is given.
             * @example true
             */
            start_time_confirmed: boolean;
            status: components["schemas"]["Status"];
            tournament: components["schemas"]["BriefTournamentView"];
            tournament_id: components["schemas"]["TournamentId"];
            /** @description Empty when unknown. */
            venue: components["schemas"]["Venue"];
        };
        /** @description How the points came about. */
        ExplanationView: {
            /**
             * Format: date-time
             * @description When the points become or became final.
             */
            final_at: string | null;
            rule: components["schemas"]["Tier"] | null;
            scoring: components["schemas"]["Scoring"] | null;
            /**
             * @description A sentence for people.
             * @example Right goal difference: 4 points by the classic rules.
             */
            sentence: string;
            settlement: components["schemas"]["State"];
            /**
             * Format: int64
             * @description Goes up with each correction of the result; null without points.
             * @example 1
             */
            settlement_version: number | null;
        };
        /** @description What every failed request answers. */
        ExportAuditLog429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_list_limit" | "address_request_limit" | "too_many_unknown_tokens";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description Which match a provider's id stands for. */
        FeedMatchBody: {
            /** Format: int64 */
            event_id: number;
            /**
             * @description The provider's id of a match that it has told of.
             * @example 537801
             */
            external_id: string;
            provider: components["schemas"]["Provider"];
        };
        /** @description Which team a provider's id stands for. */
        FeedTeamBody: {
            /**
             * @description The provider's id of the team; with `openfootball`, its name in small letters without accents.
             * @example 57
             */
            external_id: string;
            provider: components["schemas"]["Provider"];
            /** Format: int64 */
            team_id: number;
        };
        FeedView: {
            /** @description Matches of which what a provider says is not carried out, the newest first; at most 100. */
            held: components["schemas"]["HeldView"][];
            /**
             * @description Which sources gave no answer at the last poll, and why.
             * @example football_data: timed out
             */
            last_error: string | null;
            /** Format: date-time */
            last_error_at: string | null;
            /**
             * Format: date-time
             * @description The last poll that was answered, and by whom.
             */
            last_poll_at: string | null;
            last_provider: components["schemas"]["Provider"] | null;
            /** Format: date-time */
            next_poll_at: string | null;
            /** @description What the last answer had that cannot be read. */
            problems: string[];
            /** @description In the order in which they are asked. */
            sources: components["schemas"]["SourceView"][];
            /** @example premier_league */
            tournament: string;
        };
        FieldChange: {
            /** @example start_time */
            field: string;
            /**
             * @description How it is; empty for a match that is new.
             * @example 2026-11-20T15:00:00.000Z
             */
            from: string;
            /** @example 2026-11-21T17:30:00.000Z */
            to: string;
        };
        /** @description The head of the tournament's board. */
        FirstTenView: {
            after: components["schemas"]["LeaderView"][];
            before: components["schemas"]["LeaderView"][];
        };
        FlowView: {
            /**
             * @description The house account.
             * @example spending
             */
            account: string;
            /**
             * Format: int64
             * @description Coins that users received.
             * @example 0
             */
            coins_in: number;
            /**
             * Format: int64
             * @description Coins that users gave.
             * @example 36120
             */
            coins_out: number;
            /**
             * @description A UTC date.
             * @example 2026-11-16
             */
            day: string;
            /**
             * @description The app's reason for spending, or the account's name. A day tells 100 reasons apart; what is beyond is `(other)`.
             * @example wager
             */
            reason: string;
            /**
             * Format: int64
             * @example 1204
             */
            transfers: number;
        };
        FlowsMeta: {
            /**
             * Format: date-time
             * @description Up to when transfers are in these sums.
             */
            complete_to: string;
            /**
             * @description The first and the last day of the answer.
             * @example 2026-10-18
             */
            from: string;
            /** @example 2026-11-16 */
            to: string;
        };
        FoundLeagueView: {
            /**
             * Format: date-time
             * @description Null while it goes on.
             * @example null
             */
            closed_at: string | null;
            /** Format: date-time */
            created_at: string;
            has_chat: boolean;
            id: components["schemas"]["LeagueId"];
            is_public: boolean;
            /**
             * Format: int64
             * @example 12
             */
            member_count: number;
            name: components["schemas"]["LeagueName"];
            owner: components["schemas"]["BriefUserView"] | null;
            scoring: components["schemas"]["LeagueScoring"];
        };
        FoundUserView: {
            /**
             * Format: date-time
             * @description Since when; null for a user who is not banned.
             */
            banned_at: string | null;
            /**
             * Format: date-time
             * @description Null for a ban that does not end by itself.
             */
            banned_until: string | null;
            /** Format: date-time */
            created_at: string;
            id: components["schemas"]["UserId"];
            name: components["schemas"]["Name"] | null;
            phone: components["schemas"]["Phone"] | null;
            /**
             * @description The last three digits.
             * @example 123
             */
            phone_end: string | null;
            username: components["schemas"]["Username"];
        };
        FrozenCoinsView: {
            /**
             * Format: int64
             * @description Accounts that move no coins until an operator has looked.
             * @example 0
             */
            frozen_accounts: number;
        };
        FrozenView: {
            /**
             * Format: int64
             * @example 507
             */
            balance: number;
            /**
             * Format: int64
             * @description The balance less the sum of the account's entries; null for an account that was frozen before this was kept, until the next
             *     reconciliation.
             * @example 7
             */
            difference: number | null;
            /**
             * @description Whether the entries are numbered without gaps and each says the sum up to it. If not, only a backup helps.
             * @example true
             */
            entries_whole: boolean | null;
            /** Format: date-time */
            frozen_at: string;
            /**
             * Format: int64
             * @example 7
             */
            user_id: number;
            /** @example ada */
            username: string;
        };
        GenerateBody: {
            base: components["schemas"]["Base"];
            /** @description Whether suggestions end in digits; true when absent. */
            include_numbers?: boolean | null;
        };
        HealthView: {
            /** @example ok */
            status: string;
        };
        HeldView: {
            /**
             * Format: int64
             * @description Null for a match that is not in the catalogue.
             */
            event_id: number | null;
            /**
             * @description The provider's id of the match.
             * @example 537801
             */
            external_id: string;
            provider: components["schemas"]["Provider"];
            /** @example it is said to be finished without a score that counts */
            reason: string;
            /** Format: date-time */
            since: string;
            /** @example Northgate FC - Southbank FC */
            title: string;
        };
        HomeserverView: {
            /** @example http://127.0.0.1:8080 */
            base_url: string;
        };
        HouseAccountView: {
            /**
             * Format: int64
             * @description Above zero for what users have paid in, below for what the house has given.
             * @example 12400
             */
            coins: number;
            /**
             * @description `welcome`, `daily_bonus`, `spending` or `corrections`.
             * @example spending
             */
            name: string;
        };
        /** @description What an import did, and the ids of everything the document names. */
        ImportOutcome: {
            /**
             * Format: int64
             * @description Items that were new.
             */
            created: number;
            events: {
                [key: string]: number;
            };
            sports: {
                [key: string]: number;
            };
            teams: {
                [key: string]: number;
            };
            tournaments: {
                [key: string]: number;
            };
            /** Format: int64 */
            unchanged: number;
            /**
             * Format: int64
             * @description Items that the document changed since its last import.
             */
            updated: number;
        };
        /** @description What every failed request answers. */
        InitiatePhoneVerification429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_request_limit" | "address_send_limit" | "phone_daily_send_limit" | "phone_send_limit" | "prefix_send_limit" | "sms_budget";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        InitiatePhoneVerification503Error: {
            /**
             * @description A name for programs; it does not change.
             * @example clock_differs
             * @enum {string}
             */
            code: "clock_differs" | "database_unavailable" | "overloaded" | "sms_unavailable" | "stopping" | "timeout";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        InitiatedView: {
            /**
             * Format: int64
             * @description Seconds for which the code is valid.
             * @example 300
             */
            expires_in: number;
            phone: components["schemas"]["Phone"];
        };
        /** @description What every failed request answers. */
        InvalidCodeError: {
            /**
             * @description A name for programs; it does not change.
             * @example invalid_code
             * @enum {string}
             */
            code: "invalid_code";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        InvalidOrReusedKeyError: {
            /**
             * @description A name for programs; it does not change.
             * @example idempotency_key_reused
             * @enum {string}
             */
            code: "idempotency_key_reused" | "validation_failed";
            /** @description Only when validation failed: the sentences by field. */
            errors?: {
                [key: string]: string[];
            };
            /**
             * @description A sentence for people; it may change.
             * @example The given data is not valid.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        InvitationView: {
            id: components["schemas"]["LeagueId"];
            /** @description Whether the caller is in it already. */
            is_member: boolean;
            /**
             * Format: int64
             * @example 12
             */
            member_count: number;
            name: components["schemas"]["LeagueName"];
            tournaments: components["schemas"]["LeagueTournamentView"][];
        };
        InviteBody: {
            user_id?: components["schemas"]["UserId"] | null;
            username?: components["schemas"]["Username"] | null;
        };
        /** @description What every failed request answers. */
        InviteToChatRoom403Error: {
            /**
             * @description A name for programs; it does not change.
             * @example banned
             * @enum {string}
             */
            code: "banned" | "not_a_member" | "not_allowed";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        InviteToChatRoom429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_request_limit" | "too_many_invitations";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        InviteToChatRoom503Error: {
            /**
             * @description A name for programs; it does not change.
             * @example chat_unavailable
             * @enum {string}
             */
            code: "chat_unavailable" | "clock_differs" | "database_unavailable" | "overloaded" | "stopping" | "timeout";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        InvitedView: {
            /** @example invite */
            membership: string;
            room_id: string;
            user_id: components["schemas"]["UserId"];
        };
        /** @description What every failed request answers. */
        IssueMatrixCredentials429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_request_limit" | "too_many_credentials";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        IssueMatrixCredentials503Error: {
            /**
             * @description A name for programs; it does not change.
             * @example chat_unavailable
             * @enum {string}
             */
            code: "chat_unavailable" | "clock_differs" | "database_unavailable" | "overloaded" | "stopping" | "timeout";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        JobIsAChoreError: {
            /**
             * @description A name for programs; it does not change.
             * @example job_is_a_chore
             * @enum {string}
             */
            code: "job_is_a_chore";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /**
         * @description What a job does at the moment.
         * @example waiting
         * @enum {string}
         */
        JobState: "waiting" | "running" | "failing";
        JobView: {
            /**
             * Format: int64
             * @description Tries since the last success.
             * @example 3
             */
            attempts: number;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: int64
             * @example 1
             */
            id: number;
            /** @example webhook_deliver */
            kind: string;
            /**
             * Format: int64
             * @description How long it has been due and nobody has taken it up.
             * @example 0
             */
            lag_ms: number;
            lane: components["schemas"]["Lane"] | null;
            /**
             * @description Why the last try failed.
             * @example error sending request
             */
            last_error: string | null;
            /** @description What it is about, as the program wrote it down. */
            payload: unknown;
            /**
             * Format: date-time
             * @description When it is to be run.
             */
            run_at: string;
            state: components["schemas"]["JobState"];
        };
        JobsView: {
            /**
             * Format: int64
             * @description Jobs that failed and are tried again after a pause.
             * @example 0
             */
            failing: number;
            /**
             * Format: int64
             * @description How long the oldest job that is due has been waiting for a worker.
             * @example 0
             */
            lag_ms: number;
            lanes: components["schemas"]["Backlog"][];
        };
        JoinBody: {
            /** @description Small letters, spaces and hyphens do not matter. */
            code: components["schemas"]["LeagueCode"];
        };
        /** @description What every failed request answers. */
        JoinChatRoom403Error: {
            /**
             * @description A name for programs; it does not change.
             * @example banned
             * @enum {string}
             */
            code: "banned" | "not_allowed";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        JoinChatRoom429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_request_limit" | "too_many_joins";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        JoinChatRoom503Error: {
            /**
             * @description A name for programs; it does not change.
             * @example chat_unavailable
             * @enum {string}
             */
            code: "chat_unavailable" | "clock_differs" | "database_unavailable" | "overloaded" | "stopping" | "timeout";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        JoinLeagueByCode400Error: {
            /**
             * @description A name for programs; it does not change.
             * @example league_full
             * @enum {string}
             */
            code: "league_full" | "malformed_request" | "too_many_leagues";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        JoinLeagueByCode403Error: {
            /**
             * @description A name for programs; it does not change.
             * @example banned
             * @enum {string}
             */
            code: "banned" | "not_welcome";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        JoinLeagueByCode429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_request_limit" | "too_many_league_joins" | "too_many_wrong_codes";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        JoinPublicLeague400Error: {
            /**
             * @description A name for programs; it does not change.
             * @example league_full
             * @enum {string}
             */
            code: "league_full" | "too_many_leagues";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        JoinPublicLeague403Error: {
            /**
             * @description A name for programs; it does not change.
             * @example banned
             * @enum {string}
             */
            code: "banned" | "not_welcome";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        JoinPublicLeague429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_request_limit" | "too_many_league_joins";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /**
         * @description What a match is called in the operator's own books: 1 to 128 visible ASCII characters.
         * @example demo:1
         */
        Key: string;
        /**
         * Format: date-time
         * @description When a match begins: a moment with its zone, within a range that any calendar can show.
         * @example 2026-11-20T15:00:00Z
         */
        Kickoff: string;
        /**
         * @example match_clock
         * @enum {string}
         */
        Lane: "match_clock" | "settlement" | "local" | "chat" | "webhooks" | "feeds" | "push";
        /**
         * @example en
         * @enum {string}
         */
        Language: "en" | "de";
        /** @description What every failed request answers. */
        LastOwnerError: {
            /**
             * @description A name for programs; it does not change.
             * @example last_owner
             * @enum {string}
             */
            code: "last_owner";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /**
         * Format: int64
         * @example 60
         */
        Lead: number;
        LeaderRow: {
            /**
             * Format: int64
             * @description Exact scores.
             * @example 3
             */
            exact: number;
            /**
             * Format: int64
             * @example 48
             */
            points: number;
            user_id: components["schemas"]["UserId"];
            /** @example northgate_fan */
            username: string;
        };
        LeaderView: components["schemas"]["LeaderRow"] & {
            /**
             * Format: int64
             * @description Equal points are an equal rank.
             * @example 2
             */
            rank: number;
        };
        LeaderboardMeta: components["schemas"]["PageMeta"] & {
            me: components["schemas"]["OwnPlaceView"] | null;
            /** @description Which matches count: those that kicked off in it. */
            period: components["schemas"]["PeriodView"];
        };
        LeagueBody: {
            /** @description Whether it has a chat room of its own, whose members are the league's; false when absent. */
            has_chat?: boolean | null;
            /** @description Whether anybody may find and join it; false when absent: then only with its code. */
            is_public?: boolean | null;
            name: components["schemas"]["LeagueName"];
            scoring?: components["schemas"]["LeagueScoring"] | null;
            /**
             * Format: date
             * @description A UTC day: matches count from the Monday of its week on. This week when absent; at most 400 days ago or ahead.
             * @example 2026-11-09
             */
            starts_on?: string | null;
            /** @description The tournaments whose matches count, 1 to 20 of them. */
            tournament_ids: components["schemas"]["TournamentId"][];
        };
        LeagueChange: {
            has_chat?: boolean | null;
            is_public?: boolean | null;
            name?: components["schemas"]["LeagueName"] | null;
            scoring?: components["schemas"]["LeagueScoring"] | null;
            /**
             * Format: date
             * @example 2026-11-09
             */
            starts_on?: string | null;
            tournament_ids?: components["schemas"]["TournamentId"][] | null;
        };
        /** @description What every failed request answers. */
        LeagueClosedError: {
            /**
             * @description A name for programs; it does not change.
             * @example league_closed
             * @enum {string}
             */
            code: "league_closed";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /**
         * @description Lets whoever has it into a league: ten letters and digits, of which there are 590 billion times a thousand.
         * @example K7XQ2MPAD9
         */
        LeagueCode: string;
        LeagueEndBody: {
            reason: components["schemas"]["ClosingReason"];
        };
        /**
         * Format: int64
         * @example 8
         */
        LeagueId: number;
        LeagueMemberView: {
            /** Format: date-time */
            joined_at: string;
            role: components["schemas"]["LeagueRole"];
            user: components["schemas"]["BriefUserView"];
        };
        /**
         * @description 1 to 60 characters.
         * @example Office league
         */
        LeagueName: string;
        LeagueNameBody: {
            name: components["schemas"]["LeagueName"];
        };
        /**
         * @description What somebody may do in a league.
         * @example owner
         * @enum {string}
         */
        LeagueRole: "owner" | "deputy" | "member";
        /**
         * @description By what a league counts: a preset for all of its tournaments, or what each of them pays.
         * @example tournament
         * @enum {string}
         */
        LeagueScoring: "tournament" | "classic" | "kicktipp" | "super6" | "premier_league";
        LeagueTournamentView: {
            id: components["schemas"]["TournamentId"];
            /** @example Premier Division */
            name: string;
        };
        LeagueView: {
            /**
             * @description Where members talk, once the room is made. Null for somebody who is not a member.
             * @example !h8vBmRzYKqWdPnXcLt:localhost
             */
            chat_room_id: string | null;
            /**
             * Format: date-time
             * @description Null while it goes on.
             * @example null
             */
            closed_at: string | null;
            /**
             * @description Lets others in. Null for somebody who is not a member.
             * @example K7XQ2MPAD9
             */
            code: string | null;
            /** Format: date-time */
            created_at: string;
            has_chat: boolean;
            id: components["schemas"]["LeagueId"];
            is_public: boolean;
            /**
             * @description The address that asks on the fan page whether to join. Null for somebody who is not a member.
             * @example https://fans.example.org/?league=K7XQ2MPAD9
             */
            link: string | null;
            /**
             * Format: int64
             * @example 12
             */
            member_count: number;
            name: components["schemas"]["LeagueName"];
            role: components["schemas"]["LeagueRole"] | null;
            scoring: components["schemas"]["LeagueScoring"];
            /**
             * Format: date
             * @description The Monday, in UTC, of the first week that counts.
             * @example 2026-11-09
             */
            starts_on: string;
            tournaments: components["schemas"]["LeagueTournamentView"][];
        };
        /** @description What every failed request answers. */
        LeagueWithoutChatError: {
            /**
             * @description A name for programs; it does not change.
             * @example league_without_chat
             * @enum {string}
             */
            code: "league_without_chat";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        LeaveAllBody: {
            reason: components["schemas"]["ReportReason"];
        };
        /** @description What every failed request answers. */
        LeaveChatRoom429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_request_limit" | "too_many_leaves";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        LeaveChatRoom503Error: {
            /**
             * @description A name for programs; it does not change.
             * @example chat_unavailable
             * @enum {string}
             */
            code: "chat_unavailable" | "clock_differs" | "database_unavailable" | "overloaded" | "stopping" | "timeout";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        LeavingView: {
            /**
             * Format: int64
             * @description How many rooms they are being taken out of.
             * @example 3
             */
            rooms: number;
        };
        /** @description What every failed request answers. */
        ListChatRooms429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_list_limit" | "address_request_limit" | "user_list_limit";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        ListEventPredictions429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_list_limit" | "address_request_limit" | "user_list_limit";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        ListMyPredictions429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_list_limit" | "address_request_limit" | "user_list_limit";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        ListQuestionTips400Error: {
            /**
             * @description A name for programs; it does not change.
             * @example malformed_request
             * @enum {string}
             */
            code: "malformed_request" | "question_open";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        ListRoomPredictions403Error: {
            /**
             * @description A name for programs; it does not change.
             * @example banned
             * @enum {string}
             */
            code: "banned" | "not_a_member";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        ListRoomPredictions429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_list_limit" | "address_request_limit" | "user_list_limit";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        ListSmsLog429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_list_limit" | "address_request_limit";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        ListedRoomView: {
            event: components["schemas"]["RoomEventView"] | null;
            is_encrypted: boolean;
            is_joined: boolean;
            /** Format: date-time */
            last_activity: string;
            /**
             * Format: int64
             * @description Without the service's bot.
             */
            member_count: number;
            name: string;
            /** @example !h8vBmRzYKqWdPnXcLt:localhost */
            room_id: string;
            topic: string;
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_AuditView_PageMeta: {
            data: components["schemas"]["AuditView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_BroadcastView_PageMeta: {
            data: components["schemas"]["BroadcastView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_DeliveryView_PageMeta: {
            data: components["schemas"]["DeliveryView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_DeskMatchView_PageMeta: {
            data: components["schemas"]["DeskMatchView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_DeskMemberView_PageMeta: {
            data: components["schemas"]["DeskMemberView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_DeskRoomView_PageMeta: {
            data: components["schemas"]["DeskRoomView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_EventView_PageMeta: {
            data: components["schemas"]["EventView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_FlowView_FlowsMeta: {
            data: components["schemas"]["FlowView"][];
            meta: components["schemas"]["FlowsMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_FoundLeagueView_PageMeta: {
            data: components["schemas"]["FoundLeagueView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_FoundUserView_PageMeta: {
            data: components["schemas"]["FoundUserView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_FrozenView_PageMeta: {
            data: components["schemas"]["FrozenView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_JobView_PageMeta: {
            data: components["schemas"]["JobView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_LeagueMemberView_PageMeta: {
            data: components["schemas"]["LeagueMemberView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_LeagueView_PageMeta: {
            data: components["schemas"]["LeagueView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_ListedRoomView_PageMeta: {
            data: components["schemas"]["ListedRoomView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_MatchBindingView_PageMeta: {
            data: components["schemas"]["MatchBindingView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_MatchDayView_PageMeta: {
            data: components["schemas"]["MatchDayView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_NoteView_PageMeta: {
            data: components["schemas"]["NoteView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_OperatorView_PageMeta: {
            data: components["schemas"]["OperatorView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_OthersTipView_PageMeta: {
            data: components["schemas"]["OthersTipView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_OwnPredictionView_OwnPredictionsMeta: {
            data: components["schemas"]["OwnPredictionView"][];
            meta: components["schemas"]["OwnPredictionsMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_OwnPredictionView_PageMeta: {
            data: components["schemas"]["OwnPredictionView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_PlaceView_LeaderboardMeta: {
            data: components["schemas"]["PlaceView"][];
            meta: components["schemas"]["LeaderboardMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_PlaceView_TableMeta: {
            data: components["schemas"]["PlaceView"][];
            meta: components["schemas"]["TableMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_PredictionView_EventPredictionsMeta: {
            data: components["schemas"]["PredictionView"][];
            meta: components["schemas"]["EventPredictionsMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_PredictionView_RoomPredictionsMeta: {
            data: components["schemas"]["PredictionView"][];
            meta: components["schemas"]["RoomPredictionsMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_QuestionView_PageMeta: {
            data: components["schemas"]["QuestionView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_ReportView_PageMeta: {
            data: components["schemas"]["ReportView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_SportView_PageMeta: {
            data: components["schemas"]["SportView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_TeamBindingView_PageMeta: {
            data: components["schemas"]["TeamBindingView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_TeamChoiceView_PageMeta: {
            data: components["schemas"]["TeamChoiceView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_TeamView_PageMeta: {
            data: components["schemas"]["TeamView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_TournamentChoiceView_PageMeta: {
            data: components["schemas"]["TournamentChoiceView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_TournamentView_PageMeta: {
            data: components["schemas"]["TournamentView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_TransactionView_PageMeta: {
            data: components["schemas"]["TransactionView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description `{"data": [...], "meta": {...}}` */
        Listed_WeekView_PageMeta: {
            data: components["schemas"]["WeekView"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description What every failed request answers. */
        LogIn429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_request_limit" | "address_wrong_code_limit" | "too_many_wrong_codes";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        LoginBody: {
            code: components["schemas"]["Code"];
            device_name?: components["schemas"]["Name"] | null;
            phone: components["schemas"]["Phone"];
            username?: components["schemas"]["Username"] | null;
        };
        LoginUserView: {
            /** Format: date-time */
            created_at: string;
            id: components["schemas"]["UserId"];
            phone: components["schemas"]["Phone"] | null;
            username: components["schemas"]["Username"];
        };
        LoginView: {
            /** @description Whether this login made the user: the moment to ask for a username, a name, a team. */
            is_new: boolean;
            matrix_credentials: components["schemas"]["Credentials"] | null;
            /**
             * @description Send it as `Authorization: Bearer <token>`.
             * @example tl_...
             */
            token: string;
            user: components["schemas"]["LoginUserView"];
        };
        /**
         * @description An http or https address, or a path on this service; at most 500 characters.
         * @example https://cdn.example.org/northgate.png
         */
        Logo: string;
        /** @description What every failed request answers. */
        MalformedRequestError: {
            /**
             * @description A name for programs; it does not change.
             * @example malformed_request
             * @enum {string}
             */
            code: "malformed_request";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        MatchBindingView: {
            /**
             * Format: int64
             * @description Null for a match that is not in the catalogue.
             */
            event_id: number | null;
            /**
             * @description The provider's id of the match.
             * @example 537801
             */
            external_id: string;
            /** @description Why what the provider says is not carried out. */
            held: string | null;
            provider: components["schemas"]["Provider"];
            /**
             * @description The two sides as the provider last called them.
             * @example Northgate FC - Southbank FC
             */
            title: string;
            /** @example premier_league */
            tournament: string;
        };
        MatchDayView: {
            /**
             * Format: date
             * @description The UTC day.
             * @example 2026-11-20
             */
            date: string;
            /**
             * Format: int64
             * @description Matches that begin on this day; those that are scheduled, live and finished add up to it.
             * @example 6
             */
            events: number;
            /**
             * Format: int64
             * @example 1
             */
            finished: number;
            /**
             * Format: date-time
             * @description The first and the last kick-off of the day.
             * @example 2026-11-20T15:00:00.000Z
             */
            first_start_time: string;
            /**
             * Format: date-time
             * @example 2026-11-20T20:45:00.000Z
             */
            last_start_time: string;
            /**
             * Format: int64
             * @example 1
             */
            live: number;
            /**
             * Format: int64
             * @example 4
             */
            scheduled: number;
        };
        /**
         * @description A part of a match.
         * @example first_half
         * @enum {string}
         */
        MatchPeriod: "first_half" | "half_time" | "second_half" | "extra_time" | "penalties";
        /** @description What a provider says of a match. */
        MatchSourceView: {
            /**
             * @description The provider's id of the match.
             * @example 537801
             */
            external_id: string;
            /**
             * @description Why what it says is not carried out.
             * @example it is said to be finished without a score that counts
             */
            held: string | null;
            /** Format: date-time */
            held_since: string | null;
            provider: components["schemas"]["Provider"];
            /**
             * @description How it says that the match stands, carried out or not.
             * @example live, 2-1
             */
            told: string | null;
            /**
             * Format: date-time
             * @description Since when it says so.
             */
            told_at: string | null;
        };
        MeView: {
            /** @description Whether the username was generated and may still be replaced, once. */
            can_choose_username: boolean;
            /** Format: date-time */
            created_at: string;
            date_of_birth: components["schemas"]["DateOfBirth"] | null;
            email: components["schemas"]["Email"] | null;
            id: components["schemas"]["UserId"];
            language: components["schemas"]["Language"] | null;
            name: components["schemas"]["Name"] | null;
            other_teams: components["schemas"]["BriefTeamView"][];
            phone: components["schemas"]["Phone"] | null;
            primary_team: components["schemas"]["BriefTeamView"] | null;
            username: components["schemas"]["Username"];
        };
        MemberBody: {
            reason: components["schemas"]["ReportReason"];
            user_id: components["schemas"]["UserId"];
        };
        MemberStatsView: {
            /**
             * Format: int64
             * @description Members who wrote, joined or predicted in the last seven days.
             */
            active_members: number;
            /**
             * Format: int64
             * @description Predictions on the room's match: by its members, or all of them in the match's own room.
             */
            predictions_made: number;
            /** @description Members by their primary team; `neutral` for those without one. */
            team_distribution: {
                [key: string]: number;
            };
            /** @description At most ten, over all their settled predictions. */
            top_predictors: components["schemas"]["TopPredictorView"][];
            /** Format: int64 */
            total_members: number;
        };
        MembershipView: {
            /**
             * @description `join`, or `leave` after leaving.
             * @example join
             */
            membership: string;
            room_id: string;
        };
        /** @description `{"message": "..."}` */
        Message: {
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /**
         * @description `$...`, as the chat network names messages.
         * @example $Rqnc-F-dvnEYJTyHq_iKxU2bZ1CI92-kuZq3a5lr5Zg
         */
        MessageId: string;
        /** @description A message as moderators see it. */
        MessageView: {
            is_encrypted: boolean;
            /** @description Somebody took it away. */
            is_redacted: boolean;
            /** @example $Rqnc-F-dvnEYJTyHq_iKxU2bZ1CI92-kuZq3a5lr5Zg */
            message_id: string;
            /**
             * @description Who wrote it, by their name on the network.
             * @example @ben:localhost
             */
            sender: string;
            /** Format: date-time */
            sent_at: string;
            /**
             * @description Null where nobody but members reads it, and for what is taken away.
             * @example What a save!
             */
            text: string | null;
            user_id: components["schemas"]["UserId"] | null;
            /** @example ben */
            username: string | null;
        };
        /**
         * Format: int64
         * @description A minute of play, 0 to 300; added time counts on, so the second minute of it in a first half is 47.
         * @example 63
         */
        Minute: number;
        /**
         * Format: int64
         * @description Messages a day, 1 to 100.
         * @example 20
         */
        MostADay: number;
        /**
         * Format: int64
         * @description How many answers one may pick, 1 to 20.
         * @example 1
         */
        MostPicks: number;
        MuteBody: {
            /**
             * Format: int64
             * @description For how long, at most a year; for good when absent.
             * @example 60
             */
            minutes?: number | null;
            reason: components["schemas"]["ReportReason"];
            user_id: components["schemas"]["UserId"];
        };
        /** @description What every failed request answers. */
        MuteMember503Error: {
            /**
             * @description A name for programs; it does not change.
             * @example chat_unavailable
             * @enum {string}
             */
            code: "chat_unavailable" | "clock_differs" | "database_unavailable" | "overloaded" | "stopping" | "timeout";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description Who is to be silent in a room. */
        MuteView: {
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Null for one that does not end by itself.
             */
            muted_until: string | null;
            /**
             * @description The name of whoever did it.
             * @example mia
             */
            operator: string;
            /** @example Insults other fans */
            reason: string;
            user_id: components["schemas"]["UserId"];
            /** @example ben */
            username: string | null;
        };
        /**
         * @description 1 to 100 characters, not only spaces.
         * @example Ada Lovelace
         */
        Name: string;
        /** @description Something about a match that needs a person. */
        Need: {
            kind: components["schemas"]["NeedKind"];
            /**
             * @description Of what is held: what is the matter, and who says so.
             * @example football_data: it is said to be finished without a score that counts
             */
            reason: string | null;
            /** Format: date-time */
            since: string;
        };
        /**
         * @description Why a match needs a person.
         * @example kick_off_overdue
         * @enum {string}
         */
        NeedKind: "kick_off_overdue" | "silent" | "result_overdue" | "held" | "not_settled";
        NewMatchBody: {
            away_team_id: components["schemas"]["TeamId"];
            home_team_id: components["schemas"]["TeamId"];
            start_time: components["schemas"]["Kickoff"];
            /** @description False for a match whose time is not known yet; true when absent. */
            start_time_confirmed?: boolean | null;
            tournament_id: components["schemas"]["TournamentId"];
            venue?: components["schemas"]["Venue"] | null;
        };
        NewOperatorView: components["schemas"]["OperatorView"] & {
            /**
             * @description It is shown here and never again.
             * @example tlop_...
             */
            token: string;
        };
        NewOptionBody: {
            team_id?: components["schemas"]["TeamId"] | null;
            text: components["schemas"]["OptionText"];
        };
        NewWebhookView: {
            id: components["schemas"]["WebhookId"];
            kinds: string[];
            /**
             * @description For checking signatures. It is shown here and never again.
             * @example whsec_...
             */
            secret: string;
            url: components["schemas"]["Url"];
        };
        /** @description What every failed request answers. */
        NobodyHasThePowerError: {
            /**
             * @description A name for programs; it does not change.
             * @example nobody_has_the_power
             * @enum {string}
             */
            code: "nobody_has_the_power";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        NodeView: {
            /**
             * Format: int64
             * @description How far its clock is ahead of the database's, or behind if negative; null with the embedded database.
             * @example 3
             */
            clock_difference_ms: number | null;
            /** @example touchline-1 */
            host: string;
            /**
             * @description Drawn when the process started.
             * @example 5f0c1d2e3a4b5c6d
             */
            id: string;
            /**
             * Format: int64
             * @description How long the write before that took.
             * @example 4
             */
            lag_ms: number;
            /**
             * @description The address of its API.
             * @example 127.0.0.1:8080
             */
            listen: string;
            /**
             * Format: int64
             * @example 4242
             */
            pid: number;
            /**
             * Format: date-time
             * @description When it last wrote itself down, which it does every five seconds (15 with the embedded database).
             */
            seen_at: string;
            /** Format: date-time */
            started_at: string;
            /** @example 0.1.0 */
            version: string;
        };
        /** @description What every failed request answers. */
        NotAMemberError: {
            /**
             * @description A name for programs; it does not change.
             * @example not_a_member
             * @enum {string}
             */
            code: "not_a_member";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        NotFoundError: {
            /**
             * @description A name for programs; it does not change.
             * @example not_found
             * @enum {string}
             */
            code: "not_found";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        NoteBody: {
            text: components["schemas"]["NoteText"];
        };
        /**
         * @description 1 to 2,000 characters.
         * @example Was warned about insults
         */
        NoteText: string;
        NoteView: {
            /** Format: date-time */
            created_at: string;
            /**
             * Format: int64
             * @example 1
             */
            id: number;
            /**
             * @description The name of whoever wrote it.
             * @example mia
             */
            operator: string;
            operator_id: components["schemas"]["OperatorId"] | null;
            /** @example Was warned about insults */
            text: string;
        };
        /** @description What every failed request answers. */
        OpenDeskStream503Error: {
            /**
             * @description A name for programs; it does not change.
             * @example clock_differs
             * @enum {string}
             */
            code: "clock_differs" | "database_unavailable" | "overloaded" | "stopping" | "timeout" | "too_many_consoles";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        OpenStream429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_request_limit" | "address_stream_limit" | "user_stream_limit";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        OperatorBody: {
            /**
             * Format: date-time
             * @description From when on the token opens nothing; never when absent.
             */
            expires_at?: string | null;
            name: components["schemas"]["OperatorName"];
            role: components["schemas"]["Role"];
        };
        /**
         * Format: int64
         * @example 7
         */
        OperatorId: number;
        /**
         * @description Who a token is for, 1 to 64 characters. Several tokens may have one name.
         * @example ana
         */
        OperatorName: string;
        /** @description What every failed request answers. */
        OperatorOnlyError: {
            /**
             * @description A name for programs; it does not change.
             * @example banned
             * @enum {string}
             */
            code: "banned" | "operator_only" | "role_too_low";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /**
         * @description Whether a token opens anything.
         * @example active
         * @enum {string}
         */
        OperatorState: "active" | "expired" | "revoked";
        OperatorView: {
            /** Format: date-time */
            created_at: string;
            /**
             * @description The name of whoever made it; null for one that was made before that was written down.
             * @example configured
             */
            created_by: string | null;
            /**
             * Format: date-time
             * @description Null for one that does not end by itself.
             */
            expires_at: string | null;
            id: components["schemas"]["OperatorId"];
            /**
             * Format: date-time
             * @description Accurate to a minute; null for one that was never used.
             */
            last_used_at: string | null;
            /**
             * @description Who the token is for; the audit log shows it.
             * @example ana
             */
            name: string;
            /** Format: date-time */
            revoked_at: string | null;
            role: components["schemas"]["Role"];
            state: components["schemas"]["OperatorState"];
        };
        /**
         * Format: int64
         * @example 17
         */
        OptionId: number;
        /**
         * @description 1 to 100 characters.
         * @example Northgate FC
         */
        OptionText: string;
        OptionView: {
            id: components["schemas"]["OptionId"];
            /** @description Null until the question is settled. */
            is_right: boolean | null;
            /**
             * Format: int64
             * @description How many picked it. Null until the question is closed, and for a moment after.
             * @example 812
             */
            picks: number | null;
            team_id: components["schemas"]["TeamId"] | null;
            text: components["schemas"]["OptionText"];
        };
        OtherTeamsBody: {
            /** @description At most five, each of an existing team; none clears the choice. */
            team_ids: components["schemas"]["TeamId"][];
        };
        OthersTipView: {
            option_ids: components["schemas"]["OptionId"][];
            /**
             * Format: int64
             * @description Null until the question is settled.
             */
            points_earned: number | null;
            user: components["schemas"]["BriefUserView"];
        };
        /**
         * @description Who wins, or nobody.
         * @example home
         * @enum {string}
         */
        Outcome: "home" | "draw" | "away";
        OutcomesView: {
            /**
             * Format: int64
             * @description Tries at a provider that did not.
             * @example 3
             */
            failed: number;
            /**
             * Format: int64
             * @description Tries at a provider that took the message.
             * @example 1204
             */
            sent: number;
        };
        OverviewView: {
            chat: components["schemas"]["ChatView"];
            coins: components["schemas"]["FrozenCoinsView"];
            /** @example production */
            environment: string;
            /** @description Those that are not void. */
            events: components["schemas"]["Totals"];
            jobs: components["schemas"]["JobsView"];
            /** Format: date-time */
            now: string;
            sessions: components["schemas"]["SessionsView"];
            sms_last_hour: components["schemas"]["SmsCounts"];
            users: components["schemas"]["UsersView"];
            /** @example 0.1.0 */
            version: string;
        };
        OwnPlaceView: {
            /**
             * Format: int64
             * @example 31
             */
            points: number;
            /**
             * Format: int64
             * @example 2
             */
            rank: number;
        };
        OwnPredictionView: {
            confidence: components["schemas"]["Confidence"];
            /** Format: date-time */
            created_at: string;
            event_id: components["schemas"]["EventId"];
            id: components["schemas"]["PredictionId"];
            /**
             * Format: int64
             * @example null
             */
            points_earned: number | null;
            prediction: components["schemas"]["Outcome"];
            score_prediction: components["schemas"]["ScorePair"] | null;
            /**
             * Format: date-time
             * @description When it was last replaced.
             */
            updated_at: string;
            /** @description Why it does not count; absent if it does. */
            void_reason?: string;
        };
        OwnPredictionsMeta: components["schemas"]["PageMeta"] & {
            /**
             * Format: int64
             * @description The sum of the points of these predictions.
             * @example 31
             */
            points_earned: number;
            /**
             * Format: int64
             * @example 12
             */
            settled_predictions: number;
            /**
             * Format: int64
             * @example 14
             */
            total_predictions: number;
        };
        /** @description What every failed request answers. */
        OwnerLeavesError: {
            /**
             * @description A name for programs; it does not change.
             * @example owner_leaves
             * @enum {string}
             */
            code: "owner_leaves";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        PageMeta: {
            /**
             * Format: int64
             * @description The page that this is, from 1.
             * @example 1
             */
            current_page: number;
            /**
             * Format: int64
             * @description The last page that has anything; 1 for an empty list.
             * @example 3
             */
            last_page: number;
            /**
             * Format: int64
             * @description How many a page has at most. A list that is sent whole is one page of all it has.
             * @example 20
             */
            per_page: number;
            /**
             * Format: int64
             * @description How many there are on all pages.
             * @example 42
             */
            total: number;
        };
        PaidView: {
            /**
             * Format: int64
             * @example 4
             */
            points: number;
            /**
             * Format: int64
             * @example 17
             */
            predictions: number;
            rule: components["schemas"]["Tier"];
        };
        /**
         * @description Over which matches a board adds up, by their kick-off.
         * @example all
         * @enum {string}
         */
        Period: "all" | "season" | "month" | "week";
        PeriodView: {
            /**
             * Format: date-time
             * @description When the next period starts. Null for all time.
             * @example 2026-11-16T00:00:00.000Z
             */
            ends_at: string | null;
            /** @description `all` also for one match and for a tournament's season. */
            name: components["schemas"]["Period"];
            /**
             * Format: date-time
             * @description Null for all time.
             * @example 2026-11-09T00:00:00.000Z
             */
            starts_at: string | null;
        };
        PersonBanView: {
            /** Format: date-time */
            banned_at: string | null;
            /**
             * @description The name of whoever banned them; null for a ban from before that was written down.
             * @example mia
             */
            banned_by: string | null;
            /**
             * Format: date-time
             * @description Null for a ban that does not end by itself.
             */
            banned_until: string | null;
            /** @example Insults in three rooms */
            reason: string | null;
        };
        PersonCounts: {
            /**
             * Format: int64
             * @example 1
             */
            notes: number;
            /**
             * Format: int64
             * @example 31
             */
            points: number;
            /**
             * Format: int64
             * @example 14
             */
            predictions: number;
            /**
             * Format: int64
             * @example 0
             */
            reports_about: number;
            /**
             * Format: int64
             * @example 0
             */
            reports_by: number;
            /**
             * Format: int64
             * @description Rooms that they are in.
             * @example 3
             */
            rooms: number;
            /**
             * Format: int64
             * @example 12
             */
            settled_predictions: number;
        };
        PersonView: {
            /**
             * Format: int64
             * @example 500
             */
            balance: number;
            ban: components["schemas"]["PersonBanView"] | null;
            counts: components["schemas"]["PersonCounts"];
            /** Format: date-time */
            created_at: string;
            date_of_birth: components["schemas"]["DateOfBirth"] | null;
            email: components["schemas"]["Email"] | null;
            /**
             * Format: date-time
             * @description Since when no coins move; null for an account that is well.
             * @example null
             */
            frozen_at: string | null;
            id: components["schemas"]["UserId"];
            name: components["schemas"]["Name"] | null;
            phone: components["schemas"]["Phone"] | null;
            /**
             * @description The last three digits.
             * @example 123
             */
            phone_end: string | null;
            /** @description Whether the caller's role sees phone, email and date of birth; they are null otherwise. */
            shows_personal: boolean;
            username: components["schemas"]["Username"];
        };
        /**
         * @description `+` and 7 to 15 digits, the first not 0, in the form in which it is dialled from abroad. `Debug` shows nothing, so that no log can
         *     hold one.
         * @example +447700900123
         */
        Phone: string;
        PhoneBody: {
            /** @description International format; spaces, dashes, dots and brackets are ignored, and so is a zero that is dialled at home only. */
            phone: components["schemas"]["Phone"];
        };
        PlaceView: {
            /**
             * Format: int64
             * @example 7
             */
            correct_predictions: number;
            /**
             * Format: int64
             * @description How many scores were exact; among equal points, more of them stand first.
             * @example 2
             */
            exact_scores: number;
            /**
             * Format: int64
             * @example 31
             */
            points: number;
            /**
             * Format: int64
             * @description Equal points share a rank: 1, 2, 2, 4.
             * @example 2
             */
            rank: number;
            /**
             * Format: int64
             * @description Predictions that are settled.
             * @example 12
             */
            settled_predictions: number;
            user: components["schemas"]["BriefUserView"];
        };
        /** @description What an answer did, or would do. */
        PollOutcome: {
            changed: number;
            created: number;
            differences: components["schemas"]["Difference"][];
            dry_run: boolean;
            /** @description Why sources before this one gave no answer. */
            failures: string[];
            held: number;
            /** @description What the answer has that cannot be read. */
            problems: string[];
            provider: components["schemas"]["Provider"] | null;
            /** @example premier_league */
            tournament: string;
            unchanged: number;
            /** @description Matches whose sides are not known yet. */
            undrawn: number;
        };
        PredictionBody: {
            confidence?: components["schemas"]["Confidence"] | null;
            event_id: components["schemas"]["EventId"];
            prediction: components["schemas"]["Outcome"];
            score_prediction?: components["schemas"]["ScorePair"] | null;
        };
        PredictionDetailView: components["schemas"]["OwnPredictionView"] & {
            explanation: components["schemas"]["ExplanationView"];
            /** @description Every revision, oldest first; only for whoever made it. */
            revisions?: components["schemas"]["RevisionView"][];
            user_id: components["schemas"]["UserId"];
        };
        /**
         * Format: int64
         * @example 481
         */
        PredictionId: number;
        PredictionView: {
            confidence: components["schemas"]["Confidence"];
            /** Format: date-time */
            created_at: string;
            id: components["schemas"]["PredictionId"];
            /**
             * Format: int64
             * @description Null until the match is over and settled.
             * @example null
             */
            points_earned: number | null;
            prediction: components["schemas"]["Outcome"];
            score_prediction: components["schemas"]["ScorePair"] | null;
            user: components["schemas"]["BriefUserView"];
            /** @description Why it does not count; absent if it does. */
            void_reason?: string;
        };
        /** @description What every failed request answers. */
        PreviewSettlement422Error: {
            /**
             * @description A name for programs; it does not change.
             * @example event_void
             * @enum {string}
             */
            code: "event_void" | "validation_failed";
            /** @description Only when validation failed: the sentences by field. */
            errors?: {
                [key: string]: string[];
            };
            /**
             * @description A sentence for people; it may change.
             * @example The given data is not valid.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        PreviewView: {
            changes: components["schemas"]["WouldChangeView"];
            confidence_weighted: boolean;
            first_ten: components["schemas"]["FirstTenView"];
            next_after: components["schemas"]["PredictionId"] | null;
            predictions: components["schemas"]["WouldEarnView"][];
            scoring: components["schemas"]["Scoring"];
            /**
             * Format: int64
             * @example 128
             */
            settled_predictions: number;
            /**
             * Format: int64
             * @example 311
             */
            total_points: number;
            totals: components["schemas"]["PaidView"][];
        };
        PrimaryTeamBody: {
            team_id: components["schemas"]["TeamId"];
        };
        ProfileBody: {
            date_of_birth?: components["schemas"]["DateOfBirth"] | null;
            email?: components["schemas"]["Email"] | null;
            language?: components["schemas"]["Language"] | null;
            name?: components["schemas"]["Name"] | null;
            username?: components["schemas"]["Username"] | null;
        };
        ProfileView: {
            email: components["schemas"]["Email"] | null;
            id: components["schemas"]["UserId"];
            /** @description Only when this call changed the username: credentials of the new chat account, or null while chat cannot be reached. */
            matrix_credentials?: components["schemas"]["Credentials"] | null;
            name: components["schemas"]["Name"] | null;
            /** @description Only when this call changed it. */
            username?: components["schemas"]["Username"];
        };
        /**
         * @description Who publishes matches.
         * @example football_data
         * @enum {string}
         */
        Provider: "football_data" | "api_football" | "openfootball";
        PublicProfileView: {
            /**
             * Format: double
             * @description The share of settled predictions with the right outcome, 0 to 1; 0 for none.
             * @example 0.5833
             */
            accuracy: number;
            /**
             * Format: int64
             * @example 7
             */
            correct_predictions: number;
            /**
             * Format: date-time
             * @description When they joined.
             */
            created_at: string;
            /**
             * Format: int64
             * @example 2
             */
            exact_scores: number;
            id: components["schemas"]["UserId"];
            name: components["schemas"]["Name"] | null;
            /**
             * Format: int64
             * @description Of all time, as the global leaderboard counts them.
             * @example 31
             */
            points: number;
            primary_team: components["schemas"]["BriefTeamView"] | null;
            /**
             * Format: int64
             * @description On the global leaderboard of all time; null before anything of theirs was settled.
             * @example 2
             */
            rank: number | null;
            /**
             * Format: int64
             * @example 12
             */
            settled_predictions: number;
            username: components["schemas"]["Username"];
        };
        PushKeyView: {
            /**
             * @description Where a pusher at the homeserver sends what is said in chat rooms, with a device's `pushkey`.
             * @example https://app.example.org/_matrix/push/v1/notify
             */
            gateway_url: string;
            /** @description The sorts of devices that this service reaches. */
            kinds: components["schemas"]["DeviceKind"][];
            /**
             * @description What a page gives `pushManager.subscribe` as its `applicationServerKey`, in URL-safe Base64.
             * @example BDd3_hVL9fZi9Ybo2UUzA284WG5FZR30_95YeZJsiApwXKpNcF1rRPF3foIiBHXRdJI2Qhumhf6_LFTeZaNndIo
             */
            public_key: string;
        };
        /**
         * @description A sort of message, which users switch on and off.
         * @example reminder
         * @enum {string}
         */
        PushKind: "reminder" | "kick_off" | "goal" | "result" | "invitation" | "mention" | "chat" | "message";
        PushMessageBody: {
            body: components["schemas"]["BroadcastBody"];
            league_id?: components["schemas"]["LeagueId"] | null;
            team_id?: components["schemas"]["TeamId"] | null;
            title: components["schemas"]["BroadcastTitle"];
        };
        PushSettingsBody: {
            chat?: boolean | null;
            goal?: boolean | null;
            invitation?: boolean | null;
            kick_off?: boolean | null;
            mention?: boolean | null;
            message?: boolean | null;
            most_a_day?: components["schemas"]["MostADay"] | null;
            quiet_from?: components["schemas"]["TimeOfDay"] | null;
            quiet_until?: components["schemas"]["TimeOfDay"] | null;
            remind_leagues?: boolean | null;
            remind_minutes?: components["schemas"]["Lead"] | null;
            remind_teams?: boolean | null;
            reminder?: boolean | null;
            result?: boolean | null;
            zone?: components["schemas"]["Zone"] | null;
        };
        /** @description How many messages of a kind had which end on a day. */
        PushSumView: {
            /**
             * Format: date
             * @description A UTC day.
             * @example 2026-11-15
             */
            day: string;
            kind: components["schemas"]["PushKind"];
            /**
             * Format: int64
             * @example 812
             */
            messages: number;
            /**
             * @description `sent`, or why not: `quiet`, `too_many`, `outdated`, `switched_off`, `no_device`, `refused` or `gone`.
             * @example sent
             */
            outcome: string;
        };
        PushView: {
            /** @description Of the last 14 days, the latest first. */
            days: components["schemas"]["PushSumView"][];
            devices: components["schemas"]["DeviceCountView"][];
            /**
             * Format: int64
             * @description Messages that wait for their time.
             * @example 120
             */
            waiting: number;
        };
        QuestionBody: {
            /**
             * Format: date-time
             * @description The last moment to answer, at most 800 days ahead.
             * @example 2026-11-20T15:00:00Z
             */
            closes_at: string;
            /** @description The tables into which its points count; global, season, tournament and leagues when absent. */
            counts_in?: components["schemas"]["CountsIn"][] | null;
            most_picks?: components["schemas"]["MostPicks"] | null;
            /** @description 2 to 200 answers to choose from. */
            options: components["schemas"]["NewOptionBody"][];
            /** @description For each right answer. */
            points: components["schemas"]["TipPoints"];
            text: components["schemas"]["QuestionText"];
            tournament_id: components["schemas"]["TournamentId"];
        };
        QuestionChange: {
            /**
             * Format: date-time
             * @example 2026-11-20T15:00:00Z
             */
            closes_at?: string | null;
            counts_in?: components["schemas"]["CountsIn"][] | null;
            points?: components["schemas"]["TipPoints"] | null;
            text?: components["schemas"]["QuestionText"] | null;
        };
        /** @description What every failed request answers. */
        QuestionClosedError: {
            /**
             * @description A name for programs; it does not change.
             * @example question_closed
             * @enum {string}
             */
            code: "question_closed";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /**
         * Format: int64
         * @example 3
         */
        QuestionId: number;
        /**
         * @description How a question stands.
         * @example open
         * @enum {string}
         */
        QuestionState: "open" | "closed" | "settled" | "void";
        /**
         * @description 1 to 200 characters.
         * @example Who wins the cup?
         */
        QuestionText: string;
        QuestionTournamentView: {
            id: components["schemas"]["TournamentId"];
            /** @example Harbour Cup */
            name: string;
        };
        QuestionView: {
            /**
             * Format: date-time
             * @description Nobody answers from here on.
             */
            closes_at: string;
            /** @description The tables into which its points count. */
            counts_in: components["schemas"]["CountsIn"][];
            /** Format: date-time */
            created_at: string;
            id: components["schemas"]["QuestionId"];
            /** @description How many answers one may pick. */
            most_picks: components["schemas"]["MostPicks"];
            options: components["schemas"]["OptionView"][];
            /** @description For each right answer. */
            points: components["schemas"]["TipPoints"];
            state: components["schemas"]["QuestionState"];
            text: components["schemas"]["QuestionText"];
            tip: components["schemas"]["TipView"] | null;
            /**
             * Format: int64
             * @description How many have answered. Null until the question is closed, and for a moment after.
             * @example 2304
             */
            tips: number | null;
            tournament: components["schemas"]["QuestionTournamentView"];
            void_reason: components["schemas"]["QuestionVoidReason"] | null;
        };
        /**
         * @description Why a question is void: 1 to 255 characters.
         * @example The cup is not played
         */
        QuestionVoidReason: string;
        ReadinessView: {
            checks: components["schemas"]["ChecksView"];
            /**
             * @description `ready`, `degraded` (requests are served, a part is away) or `unavailable`.
             * @example ready
             */
            status: string;
        };
        ReadmissionBody: {
            user_id: components["schemas"]["UserId"];
        };
        /** @description What every failed request answers. */
        ReadmitToLeague400Error: {
            /**
             * @description A name for programs; it does not change.
             * @example league_closed
             * @enum {string}
             */
            code: "league_closed" | "malformed_request";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        ReadmitToLeague403Error: {
            /**
             * @description A name for programs; it does not change.
             * @example banned
             * @enum {string}
             */
            code: "banned" | "league_role";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /**
         * @description Why an app takes coins, as a name for programs: 1 to 64 of `a-z 0-9 _ -`.
         * @example wager
         */
        Reason: string;
        ReasonCountView: {
            /**
             * Format: int64
             * @example 3
             */
            messages: number;
            /** @example timed_out */
            reason: string;
        };
        ReconcileAskedView: {
            /**
             * Format: int64
             * @description The last run so far, null if there was none. This one is done when `GET /api/admin/coins` shows a later one.
             * @example 41
             */
            last_reconciliation: number | null;
        };
        ReconciliationView: {
            /**
             * Format: int64
             * @description How many accounts were recomputed.
             * @example 4210
             */
            accounts: number;
            /**
             * Format: int64
             * @description By how many coins in all, without sign, so that two errors cannot cancel out.
             * @example 0
             */
            difference: number;
            /**
             * Format: int64
             * @description How many of them disagree with their entries, those that were frozen before included.
             * @example 0
             */
            disagreeing: number;
            /** Format: date-time */
            finished_at: string;
            /**
             * @description Whether the flows by day disagreed with the transfers and are summed anew.
             * @example false
             */
            flows_renewed: boolean;
            /**
             * Format: int64
             * @example 41
             */
            id: number;
            /** Format: date-time */
            started_at: string;
        };
        RedactBody: {
            message_id: components["schemas"]["MessageId"];
            reason: components["schemas"]["ReportReason"];
        };
        /** @description What every failed request answers. */
        RedactMessage503Error: {
            /**
             * @description A name for programs; it does not change.
             * @example chat_unavailable
             * @enum {string}
             */
            code: "chat_unavailable" | "clock_differs" | "database_unavailable" | "overloaded" | "stopping" | "timeout";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /**
         * @description The app's own name for what the coins are for. At most 255 characters.
         * @example order-1042
         */
        ReferenceId: string;
        /** @description What every failed request answers. */
        RegisterDevice429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_request_limit" | "too_many_devices";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        Released: {
            /**
             * @description The matches that the provider's ids no longer stand for. The next poll looks for them anew; one that it does not find again is
             *     followed by this provider no more.
             */
            released_events: number[];
        };
        RemovalBody: {
            /** @description Whether the code lets them in no more; false when absent. */
            for_good?: boolean | null;
            user_id: components["schemas"]["UserId"];
        };
        /** @description What every failed request answers. */
        RemoveLeagueMember400Error: {
            /**
             * @description A name for programs; it does not change.
             * @example league_closed
             * @enum {string}
             */
            code: "league_closed" | "malformed_request";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        RemoveLeagueMember403Error: {
            /**
             * @description A name for programs; it does not change.
             * @example banned
             * @enum {string}
             */
            code: "banned" | "league_role";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        RemoveMember503Error: {
            /**
             * @description A name for programs; it does not change.
             * @example chat_unavailable
             * @enum {string}
             */
            code: "chat_unavailable" | "clock_differs" | "database_unavailable" | "overloaded" | "stopping" | "timeout";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        RenewLeagueCode403Error: {
            /**
             * @description A name for programs; it does not change.
             * @example banned
             * @enum {string}
             */
            code: "banned" | "league_role";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        ReplayBody: {
            /**
             * Format: int64
             * @description Send everything after this feed id again; when absent, only what was not taken.
             */
            after?: number | null;
        };
        ReplayView: {
            /**
             * Format: int64
             * @description How many messages are sent again, at most 200 a call.
             */
            messages: number;
        };
        ReportBody: {
            message_id?: components["schemas"]["MessageId"] | null;
            reason: components["schemas"]["ReportReason"];
            user_id?: components["schemas"]["UserId"] | null;
        };
        /** @description What every failed request answers. */
        ReportChat403Error: {
            /**
             * @description A name for programs; it does not change.
             * @example banned
             * @enum {string}
             */
            code: "banned" | "not_a_member";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        ReportChat429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_request_limit" | "too_many_reports";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /**
         * @description Why something is reported: 1 to 500 characters.
         * @example Insults other fans
         */
        ReportReason: string;
        ReportView: {
            /** Format: date-time */
            created_at: string;
            /** Format: int64 */
            id: number;
            message_id: string | null;
            reason: string;
            reported_user_id: components["schemas"]["UserId"] | null;
            /** @example ben */
            reported_username: string | null;
            reporter_id: components["schemas"]["UserId"];
            /**
             * @description Null for somebody who has left.
             * @example ada
             */
            reporter_username: string | null;
            resolution: string | null;
            /** Format: date-time */
            resolved_at: string | null;
            room_id: string | null;
            /**
             * @description What the room is called now.
             * @example Northgate away end
             */
            room_name: string | null;
        };
        ReportedView: {
            /** Format: int64 */
            id: number;
        };
        /** @description What every failed request answers. */
        RequestCode429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_request_limit" | "address_send_limit" | "phone_daily_send_limit" | "phone_send_limit" | "prefix_send_limit" | "sms_budget";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        RequestCode503Error: {
            /**
             * @description A name for programs; it does not change.
             * @example clock_differs
             * @enum {string}
             */
            code: "clock_differs" | "database_unavailable" | "overloaded" | "sms_unavailable" | "stopping" | "timeout";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        ResendCode422Error: {
            /**
             * @description A name for programs; it does not change.
             * @example no_pending_verification
             * @enum {string}
             */
            code: "no_pending_verification" | "validation_failed";
            /** @description Only when validation failed: the sentences by field. */
            errors?: {
                [key: string]: string[];
            };
            /**
             * @description A sentence for people; it may change.
             * @example The given data is not valid.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        ResendCode429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_request_limit" | "address_send_limit" | "phone_daily_send_limit" | "phone_send_limit" | "prefix_send_limit" | "sms_budget";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        ResendCode503Error: {
            /**
             * @description A name for programs; it does not change.
             * @example clock_differs
             * @enum {string}
             */
            code: "clock_differs" | "database_unavailable" | "overloaded" | "sms_unavailable" | "stopping" | "timeout";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        ResolveBody: {
            /** @description What was done about it. */
            resolution: components["schemas"]["ReportReason"];
        };
        RestoredView: {
            /**
             * Format: int64
             * @description What its entries say, and the account again.
             * @example 500
             */
            balance: number;
            /**
             * Format: int64
             * @description What the account said while it was frozen.
             * @example 507
             */
            wrong_balance: number;
        };
        ResultBody: {
            away_score: components["schemas"]["Score"];
            home_score: components["schemas"]["Score"];
        };
        RevisionView: {
            confidence: components["schemas"]["Confidence"];
            /** Format: date-time */
            created_at: string;
            prediction: components["schemas"]["Outcome"];
            score_prediction: components["schemas"]["ScorePair"] | null;
        };
        /**
         * @description What an operator may do. Each may do what those before it may.
         * @example viewer
         * @enum {string}
         */
        Role: "viewer" | "moderator" | "operator" | "owner";
        RoleBody: {
            /** @description `owner` hands the league over: the caller is a deputy then. */
            role: components["schemas"]["LeagueRole"];
            user_id: components["schemas"]["UserId"];
        };
        RoomEventView: {
            /** @example Southbank FC */
            away_team: string;
            /** @example Northgate FC */
            home_team: string;
            id: components["schemas"]["EventId"];
            /** Format: date-time */
            start_time: string;
        };
        /**
         * @description 1 to 100 characters.
         * @example Northgate away end
         */
        RoomName: string;
        RoomPredictionsMeta: components["schemas"]["AskedPageMeta"] & {
            /**
             * Format: int64
             * @example 38
             */
            away_predictions: number;
            /**
             * Format: int64
             * @example 20
             */
            draw_predictions: number;
            /**
             * Format: int64
             * @example 70
             */
            home_predictions: number;
            /**
             * Format: int64
             * @example 128
             */
            total_predictions: number;
        };
        SavedTeamView: {
            team: components["schemas"]["BriefTeamView"];
        };
        SavedTeamsView: {
            teams: components["schemas"]["BriefTeamView"][];
        };
        /**
         * @description What happens, in words for those who watch.
         * @example VAR: no goal. Northgate FC 1-0 Southbank FC
         */
        Scene: string;
        SceneBody: {
            /**
             * Format: int64
             * @description For so long the service reaches no homeserver, and apps do not reach the embedded one. 0 ends it.
             */
            chat_away_ms?: number | null;
            scene: components["schemas"]["Scene"];
            /**
             * Format: int64
             * @description For so long no message is sent: asking for a code is answered 503. 0 ends it.
             */
            sms_away_ms?: number | null;
        };
        /**
         * Format: int64
         * @description Goals or points of one side, 0 to 99.
         * @example 2
         */
        Score: number;
        /** @description The goals of both sides. */
        ScorePair: {
            away: components["schemas"]["Score"];
            home: components["schemas"]["Score"];
        };
        /**
         * @description A preset of points.
         * @example classic
         * @enum {string}
         */
        Scoring: "classic" | "kicktipp" | "super6" | "premier_league";
        SentView: {
            /**
             * Format: int64
             * @description Seconds for which the code is valid.
             * @example 300
             */
            expires_in: number;
        };
        /**
         * Format: int64
         * @example 1
         */
        SessionId: number;
        SessionView: {
            /** Format: date-time */
            created_at: string;
            /**
             * @description What the app called the device at login, if anything.
             * @example Ada's phone
             */
            device_name: string | null;
            /** Format: date-time */
            expires_at: string;
            id: components["schemas"]["SessionId"];
            /** @description Whether this is the session of the token that asks. */
            is_current: boolean;
            /**
             * Format: date-time
             * @description Accurate to an hour.
             */
            last_used_at: string;
        };
        SessionsView: {
            /**
             * Format: int64
             * @description Sessions that have not expired; counted up to 100,000. More than 10,000 may be half a minute old.
             * @example 3960
             */
            active: number;
        };
        /** @description What every failed request answers. */
        SetLeagueRole400Error: {
            /**
             * @description A name for programs; it does not change.
             * @example league_closed
             * @enum {string}
             */
            code: "league_closed" | "malformed_request" | "owner_stays";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        SetLeagueRole403Error: {
            /**
             * @description A name for programs; it does not change.
             * @example banned
             * @enum {string}
             */
            code: "banned" | "league_role";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        SettingsView: {
            /** @description What is said in my chat rooms, by my push rules there, where an app of mine has set a pusher. */
            chat: boolean;
            /** @description In matches of my favourite teams. */
            goal: boolean;
            /** @description Into a chat room. */
            invitation: boolean;
            /** @description When a match of my favourite teams begins. */
            kick_off: boolean;
            /** @description When somebody speaks of me, or to me, in a chat room. */
            mention: boolean;
            /** @description What the operators tell. */
            message: boolean;
            most_a_day: components["schemas"]["MostADay"];
            /** @description From here on nothing is sent, in my time zone. */
            quiet_from: components["schemas"]["TimeOfDay"];
            /** @description The end of that; the same as its beginning for never. */
            quiet_until: components["schemas"]["TimeOfDay"];
            /** @description Of matches that count in one of my leagues. */
            remind_leagues: boolean;
            /** @description How many minutes before kick-off. */
            remind_minutes: components["schemas"]["Lead"];
            /** @description Of matches of my favourite teams. */
            remind_teams: boolean;
            /** @description Before a match that I have not predicted. */
            reminder: boolean;
            /** @description The result of what I predicted, and what it earned. */
            result: boolean;
            zone: components["schemas"]["Zone"];
        };
        /** @description What every failed request answers. */
        SettleQuestion400Error: {
            /**
             * @description A name for programs; it does not change.
             * @example malformed_request
             * @enum {string}
             */
            code: "malformed_request" | "question_open";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        SettleQuestionBody: {
            /** @description The right answers: one, or several where several are right. */
            right_option_ids: number[];
        };
        /** @description What every failed request answers. */
        ShowChatReport503Error: {
            /**
             * @description A name for programs; it does not change.
             * @example chat_unavailable
             * @enum {string}
             */
            code: "chat_unavailable" | "clock_differs" | "database_unavailable" | "overloaded" | "stopping" | "timeout";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        ShowChatRoom403Error: {
            /**
             * @description A name for programs; it does not change.
             * @example banned
             * @enum {string}
             */
            code: "banned" | "not_a_member";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        ShowLeaderboard403Error: {
            /**
             * @description A name for programs; it does not change.
             * @example banned
             * @enum {string}
             */
            code: "banned" | "not_a_member";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        ShowLeagueOfCode429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_request_limit" | "too_many_wrong_codes";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        ShowMemberStats403Error: {
            /**
             * @description A name for programs; it does not change.
             * @example banned
             * @enum {string}
             */
            code: "banned" | "not_a_member";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description One room, for somebody who looks at it. */
        ShownRoomView: components["schemas"]["ListedRoomView"] & {
            creator_id: components["schemas"]["UserId"] | null;
            /**
             * @description `public`, or `invite` for a private room; rooms made with other apps may have another of the chat network's rules.
             * @example public
             */
            join_rule: string;
        };
        SignInBody: {
            /**
             * @description What stands behind `sign-in=` in the link on the terminal.
             * @example Zk3vT0pQ9xW2mB7rL5nY8cHd
             */
            code: string;
        };
        /** @description What every failed request answers. */
        SignInLinkSpentError: {
            /**
             * @description A name for programs; it does not change.
             * @example sign_in_link_spent
             * @enum {string}
             */
            code: "sign_in_link_spent";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        SignInView: {
            /** Format: date-time */
            expires_at: string | null;
            /** @example terminal */
            name: string;
            role: components["schemas"]["Role"];
            /**
             * @description It is shown here and never again.
             * @example tlop_...
             */
            token: string;
        };
        /**
         * Format: int64
         * @description Coins to add, or to take if below zero; never none.
         * @example -30
         */
        SignedAmount: number;
        /**
         * @description A name for programs: 1 to 64 of `a-z 0-9 _`, beginning with a letter or a digit.
         * @example northgate_fc
         */
        Slug: string;
        SmsBudgetView: {
            /**
             * Format: int64
             * @description Messages that everybody may be sent on a UTC day.
             * @example 10000
             */
            a_day: number;
            /**
             * Format: int64
             * @description What phones that have an account may be sent beyond that.
             * @example 1000
             */
            reserve: number;
            /** Format: date-time */
            resets_at: string;
            /**
             * Format: int64
             * @description What is used of both.
             * @example 1204
             */
            used: number;
        };
        SmsCountryView: components["schemas"]["OutcomesView"] & {
            /**
             * @description The country's calling code; some countries share one.
             * @example 44
             */
            calling_code: string;
            providers: components["schemas"]["CountryProviderView"][];
            /**
             * Format: int64
             * @description Messages that a limit, the budget or the settings refused before any provider was asked.
             * @example 2
             */
            refused: number;
        };
        /** @description What became of messages. */
        SmsCounts: {
            /** Format: int64 */
            failed: number;
            /** Format: int64 */
            sent: number;
        };
        SmsFiguresView: {
            budget: components["schemas"]["SmsBudgetView"] | null;
            /** @description Those with the most messages first, at most 250. */
            countries: components["schemas"]["SmsCountryView"][];
            /**
             * Format: date-time
             * @description The beginning of the first hour that is counted.
             */
            from: string;
            /** @description Those of the settings in their order, then others that sent something. */
            providers: components["schemas"]["SmsProviderView"][];
            /** @description Why messages were refused: the code of the limit, `sms_budget`, or `country_not_served`. */
            refusals: components["schemas"]["ReasonCountView"][];
            /** Format: date-time */
            to: string;
        };
        SmsLogView: {
            /**
             * Format: int64
             * @description Which attempt at this message it was.
             * @example 1
             */
            attempts: number;
            /** @example 123456 */
            code: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description Only for failed entries. */
            error?: string;
            /**
             * Format: date-time
             * @description Only for sent entries.
             */
            expires_at?: string;
            /** Format: int64 */
            id: number;
            phone: components["schemas"]["Phone"];
            /** @example log */
            provider: string;
            /** @example sent */
            status: string;
        };
        SmsProviderView: components["schemas"]["OutcomesView"] & {
            /** @description Why tries failed: `refused` (this message only), `busy`, `timed_out` or `broken`. */
            failures: components["schemas"]["ReasonCountView"][];
            /**
             * @description Whether it keeps failing and is passed over for a while, as the node that answers has it; null for one that is not in the settings.
             * @example false
             */
            is_passed_over: boolean | null;
            /** @example twilio */
            name: string;
        };
        SourceView: {
            /**
             * Format: date-time
             * @description Until when the provider itself asked to be left alone.
             */
            blocked_until: string | null;
            /**
             * Format: int64
             * @description Requests that are left in this minute; null without a limit.
             * @example 9
             */
            left_this_minute: number | null;
            /**
             * Format: int64
             * @description Requests that are left in these 24 hours; null without a limit.
             * @example 84
             */
            left_today: number | null;
            provider: components["schemas"]["Provider"];
        };
        /**
         * Format: int64
         * @example 1
         */
        SportId: number;
        SportItem: {
            name: components["schemas"]["Title"];
            slug: components["schemas"]["Slug"];
        };
        SportView: {
            id: components["schemas"]["SportId"];
            /** @example Football */
            name: string;
            /** @example football */
            slug: string;
        };
        /**
         * @description Where an event's settlement stands.
         * @example open
         * @enum {string}
         */
        State: "open" | "provisional" | "final";
        StatisticsView: {
            /**
             * Format: double
             * @description The share of settled predictions with the right outcome, 0 to 1; 0 for none.
             * @example 0.5833
             */
            accuracy: number;
            /**
             * Format: int64
             * @example 5
             */
            best_run: number;
            /**
             * Format: double
             * @description The mean of (confidence / 100 - 1 if right, else 0) squared: 0 is perfect, 0.25 is what "50" always gets. Null before
             *     the first settled prediction.
             * @example 0.2113
             */
            brier_score: number | null;
            /** @description By how sure the caller said to be; ranges without a settled prediction are left out. */
            calibration: components["schemas"]["CalibrationView"][];
            /**
             * Format: int64
             * @example 7
             */
            correct_predictions: number;
            /**
             * Format: int64
             * @description Right outcomes in a row up to the last settled match, in the order of kick-off.
             * @example 3
             */
            current_run: number;
            /**
             * Format: int64
             * @example 2
             */
            exact_scores: number;
            /**
             * Format: int64
             * @example 31
             */
            points: number;
            /**
             * Format: int64
             * @description All of them, settled or not.
             * @example 14
             */
            predictions: number;
            /**
             * Format: int64
             * @example 12
             */
            settled_predictions: number;
        };
        /**
         * @example live
         * @enum {string}
         */
        Status: "live" | "scheduled" | "finished";
        /** @description What every failed request answers. */
        StorageFullError: {
            /**
             * @description A name for programs; it does not change.
             * @example storage_full
             * @enum {string}
             */
            code: "storage_full";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        SuggestionsView: {
            /** @description Five names, free at the time of asking; none that somebody has given up. */
            suggestions: components["schemas"]["Username"][];
        };
        TableMeta: components["schemas"]["PageMeta"] & {
            me: components["schemas"]["OwnPlaceView"] | null;
            /**
             * Format: date
             * @description The Monday of the week, in UTC; null for all of them.
             * @example 2026-11-09
             */
            week: string | null;
        };
        TeamBindingView: {
            /**
             * @description The provider's id of the team.
             * @example 57
             */
            external_id: string;
            /**
             * @description What the provider called it when it was bound; null for what an operator bound.
             * @example Northgate
             */
            name: string | null;
            provider: components["schemas"]["Provider"];
            team: components["schemas"]["BoundTeamView"];
        };
        TeamChoiceView: {
            /**
             * @description Null when unknown.
             * @example England
             */
            country: string | null;
            id: components["schemas"]["TeamId"];
            /** @example Northgate FC */
            name: string;
            sport: components["schemas"]["SportView"];
        };
        /**
         * Format: int64
         * @example 7
         */
        TeamId: number;
        TeamItem: {
            country?: components["schemas"]["Title"] | null;
            founded?: components["schemas"]["Year"] | null;
            logo?: components["schemas"]["Logo"] | null;
            name: components["schemas"]["Title"];
            slug: components["schemas"]["Slug"];
            /** @description The slug of a sport in this document or imported before. */
            sport: components["schemas"]["Slug"];
        };
        TeamView: {
            /**
             * @description Null when unknown.
             * @example England
             */
            country: string | null;
            /**
             * Format: int64
             * @description The year; null when unknown.
             * @example 1893
             */
            founded: number | null;
            id: components["schemas"]["TeamId"];
            /**
             * @description Absent when there is none.
             * @example https://app.example.org/crests/northgate_fc.svg
             */
            logo?: string;
            /** @example Northgate FC */
            name: string;
            /** @example northgate_fc */
            slug: string;
            sport: components["schemas"]["SportView"];
            sport_id: components["schemas"]["SportId"];
        };
        /**
         * @description What was right about a prediction, the best of it.
         * @example nothing
         * @enum {string}
         */
        Tier: "nothing" | "outcome" | "difference" | "exact";
        /**
         * @description A time of the day, written HH:MM.
         * @example 22:30
         */
        TimeOfDay: string;
        TipBody: {
            /** @description The answers I pick: 1 to as many as the question takes. */
            option_ids: number[];
        };
        /**
         * Format: int64
         * @description For each right answer, 1 to 1,000.
         * @example 20
         */
        TipPoints: number;
        TipView: {
            /** Format: date-time */
            changed_at: string;
            option_ids: components["schemas"]["OptionId"][];
            /**
             * Format: int64
             * @description Null until the question is settled.
             * @example 20
             */
            points_earned: number | null;
        };
        /**
         * @description A name for people, 1 to 100 characters.
         * @example Northgate FC
         */
        Title: string;
        /** @description `{"message": "...", "data": ...}` */
        Told_BanView: {
            data: components["schemas"]["BanView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_BroadcastView: {
            data: components["schemas"]["BroadcastView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_ChatRoomView: {
            data: components["schemas"]["ChatRoomView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_ClaimedView: {
            data: components["schemas"]["ClaimedView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_CorrectedView: {
            data: components["schemas"]["CorrectedView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_CreatedView: {
            data: components["schemas"]["CreatedView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_DeductedView: {
            data: components["schemas"]["DeductedView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_DeviceView: {
            data: components["schemas"]["DeviceView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_EndedSessionsView: {
            data: components["schemas"]["EndedSessionsView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_EventDetailView: {
            data: components["schemas"]["EventDetailView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_ImportOutcome: {
            data: components["schemas"]["ImportOutcome"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_InitiatedView: {
            data: components["schemas"]["InitiatedView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_InvitedView: {
            data: components["schemas"]["InvitedView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_LeagueView: {
            data: components["schemas"]["LeagueView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_LeavingView: {
            data: components["schemas"]["LeavingView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_MembershipView: {
            data: components["schemas"]["MembershipView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_NewOperatorView: {
            data: components["schemas"]["NewOperatorView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_OperatorView: {
            data: components["schemas"]["OperatorView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_PollOutcome: {
            data: components["schemas"]["PollOutcome"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_ProfileView: {
            data: components["schemas"]["ProfileView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_QuestionView: {
            data: components["schemas"]["QuestionView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_ReconcileAskedView: {
            data: components["schemas"]["ReconcileAskedView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_Released: {
            data: components["schemas"]["Released"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_ReportedView: {
            data: components["schemas"]["ReportedView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_RestoredView: {
            data: components["schemas"]["RestoredView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_SavedTeamView: {
            data: components["schemas"]["SavedTeamView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_SavedTeamsView: {
            data: components["schemas"]["SavedTeamsView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_SentView: {
            data: components["schemas"]["SentView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_SettingsView: {
            data: components["schemas"]["SettingsView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_VerifiedView: {
            data: components["schemas"]["VerifiedView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description `{"message": "...", "data": ...}` */
        Told_WholeMatchView: {
            data: components["schemas"]["WholeMatchView"];
            /** @description A sentence for people, in their language. */
            message: string;
        };
        /** @description What every failed request answers. */
        TooManyOperatorRequestsError: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_request_limit" | "too_many_unknown_tokens";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        TooManyRequestsError: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_request_limit";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        TopPredictorView: {
            /**
             * Format: double
             * @description The part of their settled predictions that was right, 0 to 1.
             */
            accuracy: number;
            /** Format: int64 */
            correct_predictions: number;
            user_id: components["schemas"]["UserId"];
            username: string;
        };
        /**
         * @description At most 500 characters.
         * @example Trains, tickets, songs
         */
        Topic: string;
        /** @description How many events are listed, by status. */
        Totals: {
            /** Format: int64 */
            finished: number;
            /** Format: int64 */
            live: number;
            /** Format: int64 */
            scheduled: number;
        };
        TournamentChoiceView: {
            id: components["schemas"]["TournamentId"];
            /** @example Harbour League */
            name: string;
            sport: components["schemas"]["SportView"];
        };
        /**
         * Format: int64
         * @example 3
         */
        TournamentId: number;
        TournamentItem: {
            /** @description Whether confidence weighs points; false when absent. */
            confidence_weighted?: boolean | null;
            logo?: components["schemas"]["Logo"] | null;
            name: components["schemas"]["Title"];
            scoring?: components["schemas"]["Scoring"] | null;
            slug: components["schemas"]["Slug"];
            sport: components["schemas"]["Slug"];
        };
        TournamentView: {
            id: components["schemas"]["TournamentId"];
            /**
             * @description Absent when there is none.
             * @example https://app.example.org/crests/harbour_league.svg
             */
            logo?: string;
            /** @example Harbour League */
            name: string;
            /** @example harbour_league */
            slug: string;
            sport: components["schemas"]["SportView"];
            sport_id: components["schemas"]["SportId"];
        };
        TransactionView: {
            /**
             * Format: int64
             * @description Above zero for coins received, below for coins spent.
             * @example -30
             */
            amount: number;
            /**
             * Format: int64
             * @example 470
             */
            balance_after: number;
            /** Format: date-time */
            created_at: string;
            id: components["schemas"]["TransferId"];
            /** @example wager */
            reason: string;
            /** @example order-1042 */
            reference_id: string | null;
        };
        /**
         * @description An opaque name that sorts by time, and within one account by the order in which its transfers happened.
         * @example 01jcq8v5s000000fm3q9x7d2kt4w
         */
        TransferId: string;
        TreasuryView: {
            /** @description The other side of every transfer, by what it was for. */
            accounts: components["schemas"]["HouseAccountView"][];
            /**
             * Format: date-time
             * @description Up to when transfers are in these sums, which stay a minute behind. Earlier by more while years of transfers are summed after
             *     an upgrade.
             */
            complete_to: string;
            /**
             * Format: int64
             * @description Accounts that move no coins until an operator has looked.
             * @example 0
             */
            frozen_accounts: number;
            reconciliation: components["schemas"]["ReconciliationView"] | null;
            /**
             * Format: int64
             * @description How many coins users hold in all, by the books: what the house accounts lack.
             * @example 2092600
             */
            users_coins: number;
        };
        /** @description What every failed request answers. */
        UnauthenticatedError: {
            /**
             * @description A name for programs; it does not change.
             * @example unauthenticated
             * @enum {string}
             */
            code: "unauthenticated";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        UnavailableError: {
            /**
             * @description A name for programs; it does not change.
             * @example clock_differs
             * @enum {string}
             */
            code: "clock_differs" | "database_unavailable" | "overloaded" | "stopping" | "timeout";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        UnbanMember503Error: {
            /**
             * @description A name for programs; it does not change.
             * @example chat_unavailable
             * @enum {string}
             */
            code: "chat_unavailable" | "clock_differs" | "database_unavailable" | "overloaded" | "stopping" | "timeout";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        UnfreezeBody: {
            /** @description What was found out, for the audit log. */
            reason: components["schemas"]["CorrectionReason"];
        };
        /** @description What every failed request answers. */
        UnfreezeCoins409Error: {
            /**
             * @description A name for programs; it does not change.
             * @example entries_broken
             * @enum {string}
             */
            code: "entries_broken" | "not_frozen";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        UnmuteMember503Error: {
            /**
             * @description A name for programs; it does not change.
             * @example chat_unavailable
             * @enum {string}
             */
            code: "chat_unavailable" | "clock_differs" | "database_unavailable" | "overloaded" | "stopping" | "timeout";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        UnsupportedMediaTypeError: {
            /**
             * @description A name for programs; it does not change.
             * @example unsupported_media_type
             * @enum {string}
             */
            code: "unsupported_media_type";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /**
         * @description An `http` or `https` address.
         * @example https://example.org/hooks/touchline
         */
        Url: string;
        /**
         * Format: int64
         * @example 1
         */
        UserId: number;
        UserSessionView: {
            /** @description The session's devices on the chat network. */
            chat_devices: string[];
            /** Format: date-time */
            created_at: string;
            /**
             * @description What the app called the device at login, if anything.
             * @example Ada's phone
             */
            device_name: string | null;
            /** Format: date-time */
            expires_at: string;
            id: components["schemas"]["SessionId"];
            /**
             * Format: date-time
             * @description Accurate to an hour.
             */
            last_used_at: string;
        };
        /**
         * @description 3 to 30 of `a-z 0-9 _ . -`, beginning with a letter; capitals are folded.
         * @example ada_fan
         */
        Username: string;
        UsernameBody: {
            username: components["schemas"]["Username"];
        };
        UsersView: {
            /**
             * Format: int64
             * @description Accounts ever made, deleted ones included.
             * @example 4210
             */
            registered: number;
        };
        /** @description What every failed request answers. */
        ValidationFailedError: {
            /**
             * @description A name for programs; it does not change.
             * @example validation_failed
             * @enum {string}
             */
            code: "validation_failed";
            /** @description Only when validation failed: the sentences by field. */
            errors?: {
                [key: string]: string[];
            };
            /**
             * @description A sentence for people; it may change.
             * @example The given data is not valid.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /**
         * @description Where a match is played, at most 200 characters; empty when unknown.
         * @example Northgate Park
         */
        Venue: string;
        VerifiedView: {
            phone: components["schemas"]["Phone"];
            verified: boolean;
        };
        VerifyBody: {
            code: components["schemas"]["Code"];
            phone: components["schemas"]["Phone"];
        };
        /** @description What every failed request answers. */
        VerifyCode429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_request_limit" | "address_wrong_code_limit" | "too_many_wrong_codes";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        VerifyPhone401Error: {
            /**
             * @description A name for programs; it does not change.
             * @example invalid_code
             * @enum {string}
             */
            code: "invalid_code" | "unauthenticated";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        VerifyPhone422Error: {
            /**
             * @description A name for programs; it does not change.
             * @example no_pending_verification
             * @enum {string}
             */
            code: "no_pending_verification" | "phone_mismatch" | "phone_taken" | "validation_failed";
            /** @description Only when validation failed: the sentences by field. */
            errors?: {
                [key: string]: string[];
            };
            /**
             * @description A sentence for people; it may change.
             * @example The given data is not valid.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        /** @description What every failed request answers. */
        VerifyPhone429Error: {
            /**
             * @description A name for programs; it does not change.
             * @example address_connection_limit
             * @enum {string}
             */
            code: "address_connection_limit" | "address_request_limit" | "address_wrong_code_limit" | "too_many_wrong_codes";
            /**
             * @description A sentence for people; it may change.
             * @example This cannot be done.
             */
            message: string;
            /**
             * @description The same as the `x-request-id` header: quote it when you ask for help.
             * @example req_5hTzP2cQ9dLkW1xY
             */
            request_id: string;
        };
        VoidBody: {
            reason: components["schemas"]["VoidReason"];
        };
        VoidQuestionBody: {
            reason: components["schemas"]["QuestionVoidReason"];
        };
        /**
         * @description Why a match does not count, 1 to 200 characters.
         * @example Abandoned: waterlogged pitch
         */
        VoidReason: string;
        /**
         * @description A kind of news as operators write it.
         * @example status
         */
        WantedKind: string;
        WebhookBody: {
            /** @description Which of `status`, `score`, `predictions` and `settlement` to send; all when absent. */
            kinds?: components["schemas"]["WantedKind"][] | null;
            url: components["schemas"]["Url"];
        };
        /**
         * Format: int64
         * @example 1
         */
        WebhookId: number;
        WebhookView: {
            /** Format: date-time */
            created_at: string;
            id: components["schemas"]["WebhookId"];
            /** @description Whether the receiver answered 410 and is left alone until a replay. */
            is_gone: boolean;
            kinds: string[];
            url: components["schemas"]["Url"];
        };
        WeekView: {
            /** @description Whether the week is over. Results may still come in, or be corrected, after that. */
            is_over: boolean;
            /**
             * Format: date
             * @description Its Monday, in UTC.
             * @example 2026-11-09
             */
            week: string;
            /** @description Who has most points, and among those most exact scores; empty while nobody has any. */
            winners: components["schemas"]["WinnerView"][];
        };
        WholeMatchView: components["schemas"]["DeskMatchView"] & {
            /** @description What operators did about it, the newest first; at most 20. */
            changes: components["schemas"]["AuditView"][];
            /**
             * Format: date-time
             * @description When its points are final, if they are there.
             */
            final_at: string | null;
            settlement: components["schemas"]["State"];
        };
        /** @description A report with what it is about. */
        WholeReport: components["schemas"]["ReportView"] & {
            /** @description What was said after it, oldest first; at most ten. */
            after: components["schemas"]["MessageView"][];
            /** @description What was said before it, oldest first; at most ten. */
            before: components["schemas"]["MessageView"][];
            message: components["schemas"]["MessageView"] | null;
        };
        WholeRoomView: components["schemas"]["DeskRoomView"] & {
            /** @description Who is to be silent in it, the newest first; at most 100. */
            muted: components["schemas"]["MuteView"][];
        };
        WinnerView: {
            /**
             * Format: int64
             * @example 2
             */
            exact: number;
            /**
             * Format: int64
             * @example 14
             */
            points: number;
            user: components["schemas"]["BriefUserView"];
        };
        WouldChangeView: {
            /**
             * Format: int64
             * @description Predictions that would have less.
             * @example 29
             */
            down: number;
            /**
             * Format: int64
             * @example 90
             */
            points_down: number;
            /**
             * Format: int64
             * @example 48
             */
            points_up: number;
            /**
             * Format: int64
             * @description Predictions that would have other points, or points where they have none.
             * @example 41
             */
            predictions: number;
            /**
             * Format: int64
             * @description Predictions that would have more.
             * @example 12
             */
            up: number;
        };
        WouldEarnView: {
            confidence: components["schemas"]["Confidence"];
            id: components["schemas"]["PredictionId"];
            /**
             * Format: int64
             * @description What it would have; null if it does not count.
             */
            points: number | null;
            /**
             * Format: int64
             * @description What it has now.
             */
            points_earned: number | null;
            prediction: components["schemas"]["Outcome"];
            rule: components["schemas"]["Tier"] | null;
            score_prediction: components["schemas"]["ScorePair"] | null;
            user_id: components["schemas"]["UserId"];
            /** @example northgate_fan */
            username: string;
        };
        /**
         * Format: int64
         * @description A year from 1000 to 2999.
         * @example 1893
         */
        Year: number;
        /**
         * @description A zone of the tz database.
         * @example Europe/London
         */
        Zone: string;
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    discover_homeserver: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiscoveryView"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    list_audit_log: {
        parameters: {
            query?: {
                /** @description Only what operators of this name did. */
                operator?: string;
                /** @description Only what the operator with this id did. */
                operator_id?: number;
                /** @description Only actions that begin so: `event.` or `user.ban`. */
                action?: string;
                /** @description Only what was done to this: `user 7`, `event 12`. */
                subject?: string;
                /** @description Only from this moment on. */
                from?: string;
                /** @description Only before this moment. */
                to?: string;
                /** @description Page number, from 1. */
                page?: number;
                /** @description Entries on a page, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_AuditView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    export_audit_log: {
        parameters: {
            query?: {
                /** @description `ndjson` (an object a line, as they are listed; when absent) or `csv`. */
                format?: string;
                /** @description Only what operators of this name did. */
                operator?: string;
                /** @description Only what the operator with this id did. */
                operator_id?: number;
                /** @description Only actions that begin so: `event.` or `user.ban`. */
                action?: string;
                /** @description Only what was done to this: `user 7`, `event 12`. */
                subject?: string;
                /** @description Only from this moment on. */
                from?: string;
                /** @description Only before this moment. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportAuditLog429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    import_catalogue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Document"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_ImportOutcome"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    rebuild_chat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    list_chat_reports: {
        parameters: {
            query?: {
                /** @description Only those that are not resolved; true when absent. */
                open?: boolean;
                /** @description Only those about this user. */
                about?: number;
                /** @description Only those by this user. */
                by?: number;
                /** @description Page number, from 1. */
                page?: number;
                /** @description Reports on a page, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_ReportView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    show_chat_report: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The report's id */
                report: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_WholeReport"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShowChatReport503Error"];
                };
            };
        };
    };
    resolve_chat_report: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The report's id */
                report: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    find_rooms: {
        parameters: {
            query?: {
                /** @description Rooms whose name begins so, in upper or lower case; where something happened last when absent. */
                name?: string;
                /** @description Page number, from 1. */
                page?: number;
                /** @description Rooms on a page, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_DeskRoomView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    show_room: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The room's id on the chat network */
                room: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_WholeRoomView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    ban_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The room's id on the chat network */
                room: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Refused; `code` says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NobodyHasThePowerError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BanMember503Error"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_room_members: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Members on a page, at most 100. */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description The room's id on the chat network */
                room: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_DeskMemberView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    mute_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The room's id on the chat network */
                room: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MuteBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Refused; `code` says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NobodyHasThePowerError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MuteMember503Error"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    redact_message: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The room's id on the chat network */
                room: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedactBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Refused; `code` says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NobodyHasThePowerError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedactMessage503Error"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    remove_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The room's id on the chat network */
                room: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Refused; `code` says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NobodyHasThePowerError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveMember503Error"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    unban_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The room's id on the chat network */
                room: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Refused; `code` says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NobodyHasThePowerError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnbanMember503Error"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    unmute_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The room's id on the chat network */
                room: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Refused; `code` says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NobodyHasThePowerError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnmuteMember503Error"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    show_treasury: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_TreasuryView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    list_coin_flows: {
        parameters: {
            query?: {
                /** @description The first UTC date; when absent, 29 days before the last. */
                from?: string;
                /** @description The last UTC date; when absent, today. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_FlowView_FlowsMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    list_frozen_accounts: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Entries on a page, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_FrozenView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    reconcile_coins: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_ReconcileAskedView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    list_matches: {
        parameters: {
            query?: {
                /**
                 * @description Matches that begin at this moment or later; today's, by UTC, when neither this nor `to` is given.
                 * @example 2026-11-20T00:00:00Z
                 */
                from?: string;
                /**
                 * @description Matches that begin before this moment; a day after `from` when absent.
                 * @example 2026-11-21T00:00:00Z
                 */
                to?: string;
                /** @description Only matches of this status. */
                status?: components["schemas"]["Status"];
                /** @description Only voided matches, or only those that are not. */
                is_void?: boolean;
                /** @description Only matches of this tournament. */
                tournament_id?: number;
                /** @description Page number, from 1. */
                page?: number;
                /** @description Matches on a page; 20 when absent, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_DeskMatchView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    add_match: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewMatchBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_WholeMatchView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description Refused; `code` says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventExistsError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_matches_in_need: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_Vec_DeskMatchView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    show_match: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The event's id */
                event: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_WholeMatchView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    update_event: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `version` of the match that this was decided by, in quotes. If it has another one by now, nothing is changed. */
                "If-Match"?: string;
            };
            path: {
                /** @description The event's id */
                event: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_EventDetailView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Refused; `code` says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedMeanwhileError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    enter_result: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `version` of the match that this was decided by, in quotes. If it has another one by now, nothing is changed. */
                "If-Match"?: string;
            };
            path: {
                /** @description The event's id */
                event: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResultBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_EventDetailView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Refused; `code` says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedMeanwhileError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnterResult422Error"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    preview_settlement: {
        parameters: {
            query: {
                home_score: number;
                away_score: number;
                /** @description The last prediction of the part before; the first part when absent. */
                after?: number;
                /** @description Predictions in a part; 20 when absent, at most 100. */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description The event's id */
                event: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_PreviewView"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewSettlement422Error"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    void_event: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `version` of the match that this was decided by, in quotes. If it has another one by now, nothing is changed. */
                "If-Match"?: string;
            };
            path: {
                /** @description The event's id */
                event: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VoidBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_EventDetailView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Refused; `code` says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedMeanwhileError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_feed_matches: {
        parameters: {
            query?: {
                /** @description Only ids of this provider. */
                provider?: components["schemas"]["Provider"];
                /**
                 * @description Only matches of the tournament with this slug.
                 * @example premier_league
                 */
                tournament?: string;
                /** @description Only ids that stand for this match. */
                event_id?: number;
                /** @description Page number, from 1. */
                page?: number;
                /** @description Entries on a page, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_MatchBindingView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    bind_feed_match: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedMatchBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such match, here or at the provider */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    unbind_feed_match: {
        parameters: {
            query: {
                provider: components["schemas"]["Provider"];
                /**
                 * @description The provider's id of the match.
                 * @example 537801
                 */
                external_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description The id is not known */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    list_feed_teams: {
        parameters: {
            query?: {
                /** @description Only ids of this provider. */
                provider?: components["schemas"]["Provider"];
                /** @description Only ids that stand for this team. */
                team_id?: number;
                /** @description Page number, from 1. */
                page?: number;
                /** @description Entries on a page, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_TeamBindingView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    bind_feed_team: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedTeamBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_Released"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such team */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    unbind_feed_team: {
        parameters: {
            query: {
                provider: components["schemas"]["Provider"];
                /**
                 * @description The provider's id of the team; with `openfootball`, its name in small letters without accents.
                 * @example 57
                 */
                external_id: string;
                team_id: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_Released"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description The id does not stand for this team */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    list_feeds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_Vec_FeedView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    poll_feed: {
        parameters: {
            query?: {
                /** @description Only tell what would change. */
                dry_run?: boolean;
                /**
                 * @description Ask only this one of the feed's sources.
                 * @example football_data
                 */
                provider?: string;
            };
            header?: never;
            path: {
                /** @description The slug of the tournament that is fed */
                tournament: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_PollOutcome"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    list_jobs: {
        parameters: {
            query?: {
                /** @description Only this lane. */
                lane?: components["schemas"]["Lane"];
                /** @description Only jobs in this state. */
                state?: components["schemas"]["JobState"];
                /** @description Page number, from 1. */
                page?: number;
                /** @description Entries on a page, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_JobView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    drop_job: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id */
                job: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The job is a chore of the service */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobIsAChoreError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    retry_job: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job's id */
                job: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    find_leagues: {
        parameters: {
            query?: {
                /** @description A part of the name. */
                search?: string;
                /** @description Only those that are not closed; true when absent. */
                open?: boolean;
                /** @description Page number, from 1. */
                page?: number;
                /** @description Leagues on a page, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_FoundLeagueView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    end_league: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                league: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeagueEndBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description It is closed already */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndLeague400Error"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such league */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    rename_league: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                league: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeagueNameBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such league */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    show_operator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_CallerView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    list_nodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_Vec_NodeView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    list_operators: {
        parameters: {
            query?: {
                /** @description Only those that open something; false when absent. */
                active?: boolean;
                /** @description Page number, from 1. */
                page?: number;
                /** @description Operators on a page, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_OperatorView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    add_operator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_NewOperatorView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    revoke_operator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The operator's id */
                operator: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_OperatorView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description It is the last token of an owner */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LastOwnerError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    show_overview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_OverviewView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    show_push: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_PushView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    list_push_messages: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Messages on a page; 20 when absent, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_BroadcastView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    send_push_message: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 printable ASCII characters */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PushMessageBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_BroadcastView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidOrReusedKeyError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    find_questions: {
        parameters: {
            query?: {
                /** @description Only those about this tournament. */
                tournament_id?: number;
                /** @description Only those that stand so. Open ones come by their deadline, all others the latest first. */
                state?: "open" | "closed" | "settled" | "void";
                /** @description Page number, from 1. */
                page?: number;
                /** @description Questions on a page; 20 when absent, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_QuestionView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    open_question: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuestionBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_QuestionView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    look_at_question: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                question: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_QuestionView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such question */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    change_question: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                question: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuestionChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_QuestionView"];
                };
            };
            /** @description It is settled or void */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeQuestion400Error"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such question */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    settle_question: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                question: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettleQuestionBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_QuestionView"];
                };
            };
            /** @description It still takes answers */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettleQuestion400Error"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such question */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    void_question: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                question: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VoidQuestionBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_QuestionView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such question */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    rehearse_scene: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SceneBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description Refused; `code` says why */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    sign_in_operator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_SignInView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description The link was used, or is too old */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInLinkSpentError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    show_sms_figures: {
        parameters: {
            query?: {
                /** @description How many clock hours, this one included: 1 to 168, 24 when absent. */
                hours?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_SmsFiguresView"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    open_desk_stream: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The last id that was seen. Treat it as an opaque text.
                 * @example 1042.17
                 */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream without an end */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description Refused; `code` says why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenDeskStream503Error"];
                };
            };
        };
    };
    list_teams_to_choose: {
        parameters: {
            query?: {
                /** @description Only those of this sport. */
                sport_id?: number;
                /** @description Only those whose name contains this text; case does not matter and nothing is a wildcard. */
                search?: string;
                /** @description Page number, from 1. */
                page?: number;
                /** @description On a page; 20 when absent, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_TeamChoiceView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    list_tournaments_to_choose: {
        parameters: {
            query?: {
                /** @description Only those of this sport. */
                sport_id?: number;
                /** @description Only those whose name contains this text; case does not matter and nothing is a wildcard. */
                search?: string;
                /** @description Page number, from 1. */
                page?: number;
                /** @description On a page; 20 when absent, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_TournamentChoiceView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    find_users: {
        parameters: {
            query?: {
                /** @description The user with this id. */
                id?: number;
                /** @description Usernames that begin so. */
                username?: string;
                /** @description Names that begin so, in upper or lower case. */
                name?: string;
                /** @description The user of this phone number, whole; for moderators and above. */
                phone?: string;
                /** @description Page number, from 1. */
                page?: number;
                /** @description Users on a page, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_FoundUserView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    show_person: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                user: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_PersonView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    delete_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                user: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    ban_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                user: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BanBody"] | null;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_BanView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    correct_coins: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 printable ASCII characters */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The user's id */
                user: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CorrectionBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_CorrectedView"];
                };
            };
            /** @description The balance would be below zero */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CorrectCoins400Error"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidOrReusedKeyError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CorrectCoins503Error"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_user_transactions: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Entries on a page, at most 100. */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description The user's id */
                user: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_TransactionView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    unfreeze_coins: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                user: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UnfreezeBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_RestoredView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The account is not frozen, or its entries are not whole */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnfreezeCoins409Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    export_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                user: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    remove_from_all_rooms: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                user: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeaveAllBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_LeavingView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_user_notes: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Entries on a page, at most 100. */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description The user's id */
                user: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_NoteView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    add_user_note: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                user: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_NoteView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_user_predictions: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Entries on a page, at most 100. */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description The user's id */
                user: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_OwnPredictionView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    list_user_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                user: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_Vec_UserSessionView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    end_user_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                user: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EndSessionsBody"] | null;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_EndedSessionsView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    unban_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                user: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_BanView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    list_webhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_Vec_WebhookView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    add_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_NewWebhookView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    remove_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id */
                webhook: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    list_webhook_deliveries: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Entries on a page, at most 100. */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description The webhook's id */
                webhook: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_DeliveryView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    replay_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id */
                webhook: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_ReplayView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The call is for operators, or for those of a higher role */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorOnlyError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyOperatorRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_blocked_users: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_Vec_BlockedView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    create_chat_room: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatRoomBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_ChatRoomView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description There is no such match */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidOrReusedKeyError"];
                };
            };
            /** @description Too many rooms */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateChatRoom429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateChatRoom503Error"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_chat_rooms: {
        parameters: {
            query?: {
                /** @description Only rooms that I have joined; false narrows nothing. */
                joined?: boolean;
                /** @description Only rooms about this match. */
                event_id?: number;
                /** @description Only rooms whose name contains this, whatever its case. */
                search?: string;
                /** @description Page number, from 1; without it and `per_page` the list is whole. */
                page?: number;
                /** @description Rooms on a page, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_ListedRoomView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListChatRooms429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    show_chat_room: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The room's id on the chat network */
                room: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The room */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_ShownRoomView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The room is private */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShowChatRoom403Error"];
                };
            };
            /** @description There is no such room */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    invite_to_chat_room: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The room's id on the chat network */
                room: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_InvitedView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InviteToChatRoom403Error"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description They are already a member */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlreadyAMemberError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InviteToChatRoom429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InviteToChatRoom503Error"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    join_chat_room: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The room's id on the chat network */
                room: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_MembershipView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The room is private */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JoinChatRoom403Error"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description I am already a member */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlreadyAMemberError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JoinChatRoom429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JoinChatRoom503Error"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    leave_chat_room: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The room's id on the chat network */
                room: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_MembershipView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description I am no member */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotAMemberError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeaveChatRoom429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeaveChatRoom503Error"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    show_member_stats: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The room's id on the chat network */
                room: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_MemberStatsView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShowMemberStats403Error"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_room_predictions: {
        parameters: {
            query?: {
                /** @description Page number, from 1; without it and `per_page` the list is whole. */
                page?: number;
                /** @description Predictions on a page, at most 100. */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description The room's id on the chat network */
                room: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_PredictionView_RoomPredictionsMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRoomPredictions403Error"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRoomPredictions429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    report_chat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The room's id on the chat network */
                room: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_ReportedView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportChat403Error"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too many reports */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportChat429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    show_coins: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_CoinsView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    deduct_coins: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 printable ASCII characters */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeductBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_DeductedView"];
                };
            };
            /** @description The balance is too low */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeductCoins400Error"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidOrReusedKeyError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeductCoins503Error"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_coin_transactions: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Entries on a page, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_TransactionView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    claim_daily_coins: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 printable ASCII characters */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_ClaimedView"];
                };
            };
            /** @description Already claimed today */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimDailyCoins400Error"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description The key is malformed or was used for another request */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidOrReusedKeyError"];
                };
            };
            /** @description Too many attempts in a minute */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimDailyCoins429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimDailyCoins503Error"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_devices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_Vec_DeviceView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    register_device: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_DeviceView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too many registrations */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisterDevice429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    remove_device: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                device: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description I have no such device */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_events: {
        parameters: {
            query?: {
                /** @description Only events of this tournament. */
                tournament_id?: number;
                /** @description Only events in which this team plays, at home or away. */
                team_id?: number;
                /**
                 * @description Only events that begin on this UTC day.
                 * @example 2026-11-20
                 */
                date?: string;
                /** @description Only events of this status. */
                status?: components["schemas"]["Status"];
                /** @description Page number, from 1. */
                page?: number;
                /** @description Events on a page; 20 when absent, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_EventView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    show_event: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The event's id */
                event: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_EventDetailView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_event_predictions: {
        parameters: {
            query?: {
                /** @description Only this user's. */
                user_id?: number;
                /** @description Only this outcome. */
                prediction?: components["schemas"]["Outcome"];
                /** @description Page number, from 1; without it and `per_page` the whole list is sent. */
                page?: number;
                /** @description Predictions on a page; 20 when absent, at most 100. */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description The event's id */
                event: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_PredictionView_EventPredictionsMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListEventPredictions429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    export_account: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    show_leaderboard: {
        parameters: {
            query?: {
                /** @description `global` when absent. */
                scope?: "global" | "event" | "tournament" | "room";
                /** @description The match of scope `event`; refused with scope `room`. */
                event_id?: number;
                /** @description The tournament of scope `tournament`; with scope `room`, only the members' predictions on its matches count. */
                tournament_id?: number;
                /** @description The chat room of scope `room`: its members are ranked by all their predictions. */
                room_id?: string;
                /**
                 * @description Only matches that kicked off in one week (from Monday), month or season, in UTC: the current one, or that of `date`;
                 *     `all` when absent. A tournament's season is all of it. Of no meaning for scope `event`.
                 */
                period?: "all" | "season" | "month" | "week";
                /**
                 * @description A UTC day: the period that holds it, instead of the current one. Refused where the period is all time.
                 * @example 2026-11-15
                 */
                date?: string;
                /** @description `me`: the page on which the caller is. */
                around?: "me";
                /** @description Page number, from 1. */
                page?: number;
                /** @description Places on a page; 20 when absent, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_PlaceView_LeaderboardMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShowLeaderboard403Error"];
                };
            };
            /** @description There is no such event, tournament or room */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_leagues: {
        parameters: {
            query?: {
                /** @description True: leagues that anybody may join, the largest first. Those I am in when absent, the last joined first. */
                public?: boolean;
                /** @description A part of the name, of public leagues only. */
                search?: string;
                /** @description Page number, from 1. */
                page?: number;
                /** @description Leagues on a page; 20 when absent, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_LeagueView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    create_league: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 printable ASCII characters */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeagueBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_LeagueView"];
                };
            };
            /** @description In too many leagues */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateLeague400Error"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidOrReusedKeyError"];
                };
            };
            /** @description Too many new leagues */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateLeague429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    show_league_of_code: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example K7XQ2MPAD9 */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_InvitationView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description It is no league's code */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too many wrong codes */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShowLeagueOfCode429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    join_league_by_code: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JoinBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_LeagueView"];
                };
            };
            /** @description The league is full, or I am in too many */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JoinLeagueByCode400Error"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description Shut out by the league, or blocked by its owner */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JoinLeagueByCode403Error"];
                };
            };
            /** @description It is no league's code */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too many wrong codes, or too many leagues at once */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JoinLeagueByCode429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    show_league: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                league: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_LeagueView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description There is no such league, or it is not for everybody */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    close_league: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                league: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description It is closed already */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeagueClosedError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description Not the owner */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloseLeague403Error"];
                };
            };
            /** @description There is no such league */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    change_league: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                league: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeagueChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_LeagueView"];
                };
            };
            /** @description The league is closed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeLeague400Error"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description Not the owner */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeLeague403Error"];
                };
            };
            /** @description There is no such league */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    enter_league_chat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                league: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description The league has no room */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeagueWithoutChatError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description I am in no such league */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    renew_league_code: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                league: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_LeagueView"];
                };
            };
            /** @description The league is closed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeagueClosedError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description Neither owner nor deputy */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenewLeagueCode403Error"];
                };
            };
            /** @description There is no such league */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    join_public_league: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                league: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_LeagueView"];
                };
            };
            /** @description The league is full, or I am in too many */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JoinPublicLeague400Error"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description Shut out by the league, or blocked by its owner */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JoinPublicLeague403Error"];
                };
            };
            /** @description There is no such league, or it is not for everybody */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too many leagues at once */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JoinPublicLeague429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    leave_league: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                league: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description The owner of others' league */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnerLeavesError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description I am in no such league */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_league_members: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Members on a page; 20 when absent, at most 100. */
                per_page?: number;
            };
            header?: never;
            path: {
                league: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_LeagueMemberView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description There is no such league, or it is not for everybody */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    readmit_to_league: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                league: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReadmissionBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description The league is closed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadmitToLeague400Error"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description Neither owner nor deputy */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadmitToLeague403Error"];
                };
            };
            /** @description There is no such league */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    remove_league_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                league: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RemovalBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description The league is closed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveLeagueMember400Error"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description Not in the caller's hands */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveLeagueMember403Error"];
                };
            };
            /** @description There is no such league or member */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    set_league_role: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                league: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoleBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description The league is closed, or it is the owner themselves */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetLeagueRole400Error"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description Not the owner */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetLeagueRole403Error"];
                };
            };
            /** @description There is no such league or member */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    show_league_table: {
        parameters: {
            query?: {
                /**
                 * @description A UTC day: only the week that holds it, from Monday on. All weeks since the league's first when absent.
                 * @example 2026-11-09
                 */
                week?: string;
                /** @description `me`: the page on which the caller is. */
                around?: "me";
                /** @description Page number, from 1. */
                page?: number;
                /** @description Places on a page; 20 when absent, at most 100. */
                per_page?: number;
            };
            header?: never;
            path: {
                league: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_PlaceView_TableMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description There is no such league, or it is not for everybody */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_league_weeks: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Weeks on a page; 20 when absent, at most 100. */
                per_page?: number;
            };
            header?: never;
            path: {
                league: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_WeekView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description There is no such league, or it is not for everybody */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    log_in: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_LoginView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description The code is wrong or has expired */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidCodeError"];
                };
            };
            /** @description The account is banned */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too many wrong codes */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogIn429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    log_out: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    issue_matrix_credentials: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_CredentialsView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description Asked too often */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssueMatrixCredentials429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssueMatrixCredentials503Error"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    show_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_MeView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    delete_account: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    show_my_statistics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_StatisticsView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_my_predictions: {
        parameters: {
            query?: {
                /** @description Only on this match. */
                event_id?: number;
                /** @description Only on matches of this tournament. */
                tournament_id?: number;
                /** @description Only this outcome. */
                prediction?: components["schemas"]["Outcome"];
                /** @description Only those that have points (true), or have none yet (false). */
                settled?: boolean;
                /** @description Page number, from 1; without it and `per_page` the whole list is sent. */
                page?: number;
                /** @description Predictions on a page; 20 when absent, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_OwnPredictionView_OwnPredictionsMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMyPredictions429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    create_prediction: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1 to 255 printable ASCII characters */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PredictionBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_CreatedView"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_CreatedView"];
                };
            };
            /** @description The match has begun or is void, or the body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatePrediction400Error"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description There is no such event */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidOrReusedKeyError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    show_prediction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The prediction's id */
                prediction: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_PredictionDetailView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    show_push_key: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_PushKeyView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    show_push_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_SettingsView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    change_push_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PushSettingsBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_SettingsView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_questions: {
        parameters: {
            query?: {
                /** @description Only those about this tournament. */
                tournament_id?: number;
                /** @description Only those that stand so. Open ones come by their deadline, all others the latest first. */
                state?: "open" | "closed" | "settled" | "void";
                /** @description Page number, from 1. */
                page?: number;
                /** @description Questions on a page; 20 when absent, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_QuestionView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    show_question: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                question: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_QuestionView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description There is no such question */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    answer_question: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                question: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TipBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_QuestionView"];
                };
            };
            /** @description It takes no more answers */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswerQuestion400Error"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description There is no such question */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too many answers in a minute */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswerQuestion429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    take_answer_back: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                question: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description The question is closed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuestionClosedError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description There is no such question, or I have not answered it */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_question_tips: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Answers on a page; 20 when absent, at most 100. */
                per_page?: number;
            };
            header?: never;
            path: {
                question: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_OthersTipView_PageMeta"];
                };
            };
            /** @description It still takes answers */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListQuestionTips400Error"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description There is no such question */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    resend_code: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PhoneBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_SentView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResendCode422Error"];
                };
            };
            /** @description Too many codes were sent */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResendCode429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResendCode503Error"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_Vec_SessionView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    revoke_other_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    revoke_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session's id */
                session: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_sports: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Sports on a page; 20 when absent, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sports */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_SportView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    open_stream: {
        parameters: {
            query?: {
                /** @description Only what happens to this match, and to the caller's prediction on it. */
                event_id?: number;
            };
            header?: {
                /**
                 * @description The last id that was seen. Treat it as an opaque text.
                 * @example 1042.17.3
                 */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream without an end */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenStream429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_teams: {
        parameters: {
            query?: {
                /** @description Only teams of this sport. */
                sport_id?: number;
                /** @description Only teams whose name contains this text; case does not matter and nothing is a wildcard. */
                search?: string;
                /** @description Page number, from 1. */
                page?: number;
                /** @description Teams on a page; 20 when absent, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_TeamView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    save_other_teams: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OtherTeamsBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_SavedTeamsView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    save_primary_team: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PrimaryTeamBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_SavedTeamView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description There is no such team */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_tournaments: {
        parameters: {
            query?: {
                /** @description Only tournaments of this sport. */
                sport_id?: number;
                /** @description Only tournaments whose name contains this text; case does not matter and nothing is a wildcard. */
                search?: string;
                /** @description Page number, from 1. */
                page?: number;
                /** @description Tournaments on a page; 20 when absent, at most 100. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tournaments */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_TournamentView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_match_days: {
        parameters: {
            query?: {
                /** @description Page number, from 1. */
                page?: number;
                /** @description Days on a page; 20 when absent, at most 100. */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description The tournament's id */
                tournament: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of match days */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Listed_MatchDayView_PageMeta"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description There is no such tournament */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    update_user_info: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_ProfileView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description Refused; `code` says why */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    check_username: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UsernameBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AvailabilityView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    generate_usernames: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerateBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuggestionsView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    show_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                user: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The public profile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_PublicProfileView"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description There is no such user, or not any more */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    block_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                user: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Refused; `code` says why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CannotBlockYourselfError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    unblock_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                user: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    verify_phone: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_VerifiedView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description The code is wrong or has expired */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifyPhone401Error"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifyPhone422Error"];
                };
            };
            /** @description Too many wrong codes */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifyPhone429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    initiate_phone_verification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PhoneBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_InitiatedView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description No valid token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnauthenticatedError"];
                };
            };
            /** @description The caller is banned, or the call is not for them */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too many codes were sent */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InitiatePhoneVerification429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InitiatePhoneVerification503Error"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    request_code: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PhoneBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Told_SentView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too many codes were sent */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestCode429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestCode503Error"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    verify_code: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginBody"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_LoginView"];
                };
            };
            /** @description The body is not valid JSON */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description The code is wrong or has expired */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidCodeError"];
                };
            };
            /** @description The account is banned */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BannedError"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BodyTooLargeError"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedMediaTypeError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too many wrong codes */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifyCode429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
            /** @description There is no room to store anything; reads go on */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageFullError"];
                };
            };
        };
    };
    list_sms_log: {
        parameters: {
            query?: {
                /** @description Only messages to this number. */
                phone?: components["schemas"]["Phone"];
                /** @description Only messages of this UTC day. */
                date?: string;
                /** @description Only messages that were `sent`, or that `failed`. */
                status?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_Vec_SmsLogView"];
                };
            };
            /** @description The query string cannot be read */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MalformedRequestError"];
                };
            };
            /** @description Refused; `code` says why */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description A value is not acceptable; `errors` says which and why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailedError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSmsLog429Error"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    list_todays_matches: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Data_Vec_EventView"];
                };
            };
            /** @description Refused; `code` says why */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    show_crest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A slug with `.svg`
                 * @example northgate_fc.svg
                 */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The drawing */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description There is no such thing */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotFoundError"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthView"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description A part this needs is away, or the service is overloaded; try again after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
    readiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadinessView"];
                };
            };
            /** @description Too often, or too much at once, for one caller; `code` names the limit */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyRequestsError"];
                };
            };
            /** @description The database cannot be reached, the node's clock is off, or the service is stopping */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnavailableError"];
                };
            };
        };
    };
}

export type OperationId = keyof operations;
export type Schemas = components["schemas"];

/** What an operation takes, all in one object: parts of the path, query parameters and the fields of the body. */
export type Args<Id extends OperationId> = Id extends OperationId
  ? Given<operations[Id], "path"> & Given<operations[Id], "query"> & Body<operations[Id]>
  : never;
type Given<Operation, Place extends string> = Operation extends { parameters: { [P in Place]?: infer Found } }
    ? ([NonNullable<Found>] extends [never] ? {} : NonNullable<Found>)
    : {};
type Body<Operation> = Operation extends { requestBody: { content: { "application/json": infer Found } } } ? Found : {};

/** What comes after the id in a call; the first may be left out where nothing in it is required. */
export type Rest<Id extends OperationId> = {} extends Args<Id>
    ? [args?: Args<Id>, options?: CallOptions]
    : [args: Args<Id>, options?: CallOptions];
export type CallOptions = { signal?: AbortSignal; idempotencyKey?: string; ifMatch?: string };

/** What a success answers. */
export type Answer<Id extends OperationId> = Content<operations[Id]["responses"][keyof operations[Id]["responses"] & (200 | 201)]>;
type Content<Response> = Response extends { content: { "application/json": infer Found } } ? Found : string;

/** One entry of a list. */
export type Item<Id extends OperationId> = Answer<Id> extends { data: (infer Found)[] } ? Found : never;
