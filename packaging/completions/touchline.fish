# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_touchline_global_optspecs
    string join \n config= h/help V/version
end

function __fish_touchline_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_touchline_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_touchline_using_subcommand
    set -l cmd (__fish_touchline_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c touchline -n "__fish_touchline_needs_command" -l config -d 'Read settings from this file instead of ./touchline.toml' -r -F
complete -c touchline -n "__fish_touchline_needs_command" -s h -l help -d 'Print help'
complete -c touchline -n "__fish_touchline_needs_command" -s V -l version -d 'Print version'
complete -c touchline -n "__fish_touchline_needs_command" -f -a "serve" -d 'Run the service (what the bare command does)'
complete -c touchline -n "__fish_touchline_needs_command" -f -a "config" -d 'Print the settings in force, secrets hidden'
complete -c touchline -n "__fish_touchline_needs_command" -f -a "migrate" -d 'Bring the database\'s schema up to date and end'
complete -c touchline -n "__fish_touchline_needs_command" -f -a "openapi" -d 'Print the API\'s OpenAPI document'
complete -c touchline -n "__fish_touchline_needs_command" -f -a "matrix-registration" -d 'Print the file by which a Matrix homeserver knows this service'
complete -c touchline -n "__fish_touchline_needs_command" -f -a "health" -d 'Ask the running server whether it is ready; the exit code says it'
complete -c touchline -n "__fish_touchline_needs_command" -f -a "doctor" -d 'Check the database and the whole link to the homeserver, and say what is wrong'
complete -c touchline -n "__fish_touchline_needs_command" -f -a "backup" -d 'Copy the databases, the key and everything said in chat into one file, while the service runs'
complete -c touchline -n "__fish_touchline_needs_command" -f -a "verify" -d 'Read a backup from end to end and say whether it could be restored'
complete -c touchline -n "__fish_touchline_needs_command" -f -a "restore" -d 'Put a backup in place; the service must not run'
complete -c touchline -n "__fish_touchline_needs_command" -f -a "move" -d 'Copy an embedded database to PostgreSQL while the service runs, and let go of it at the last change'
complete -c touchline -n "__fish_touchline_needs_command" -f -a "accept-secret-key" -d 'Take the configured secret key for the database\'s from now on, after it was changed on purpose'
complete -c touchline -n "__fish_touchline_needs_command" -f -a "operator-token" -d 'Make a token for the operator API, list those there are, or revoke some'
complete -c touchline -n "__fish_touchline_needs_command" -f -a "import" -d 'Import a catalogue of sports, teams, tournaments and events into the running server'
complete -c touchline -n "__fish_touchline_needs_command" -f -a "result" -d 'Enter the result of a match, or correct it'
complete -c touchline -n "__fish_touchline_needs_command" -f -a "feed" -d 'Ask a feed now and import what it says'
complete -c touchline -n "__fish_touchline_needs_command" -f -a "demo" -d 'Things to see on a developer\'s machine'
complete -c touchline -n "__fish_touchline_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c touchline -n "__fish_touchline_using_subcommand serve" -l config -d 'Read settings from this file instead of ./touchline.toml' -r -F
complete -c touchline -n "__fish_touchline_using_subcommand serve" -s h -l help -d 'Print help'
complete -c touchline -n "__fish_touchline_using_subcommand config" -l config -d 'Read settings from this file instead of ./touchline.toml' -r -F
complete -c touchline -n "__fish_touchline_using_subcommand config" -s h -l help -d 'Print help'
complete -c touchline -n "__fish_touchline_using_subcommand migrate" -l config -d 'Read settings from this file instead of ./touchline.toml' -r -F
complete -c touchline -n "__fish_touchline_using_subcommand migrate" -s h -l help -d 'Print help'
complete -c touchline -n "__fish_touchline_using_subcommand openapi" -l config -d 'Read settings from this file instead of ./touchline.toml' -r -F
complete -c touchline -n "__fish_touchline_using_subcommand openapi" -s h -l help -d 'Print help'
complete -c touchline -n "__fish_touchline_using_subcommand matrix-registration" -l to -d 'Write it to this file instead, for nobody but the file\'s owner to read: it holds secrets' -r -F
complete -c touchline -n "__fish_touchline_using_subcommand matrix-registration" -l config -d 'Read settings from this file instead of ./touchline.toml' -r -F
complete -c touchline -n "__fish_touchline_using_subcommand matrix-registration" -s h -l help -d 'Print help'
complete -c touchline -n "__fish_touchline_using_subcommand health" -l url -d 'Its address; without it, the one this configuration listens on' -r
complete -c touchline -n "__fish_touchline_using_subcommand health" -l config -d 'Read settings from this file instead of ./touchline.toml' -r -F
complete -c touchline -n "__fish_touchline_using_subcommand health" -s h -l help -d 'Print help'
complete -c touchline -n "__fish_touchline_using_subcommand doctor" -l config -d 'Read settings from this file instead of ./touchline.toml' -r -F
complete -c touchline -n "__fish_touchline_using_subcommand doctor" -s h -l help -d 'Print help'
complete -c touchline -n "__fish_touchline_using_subcommand backup" -l key-file -d 'The file with the key by which it is encrypted, of 32 characters or more; without it, it is not' -r -F
complete -c touchline -n "__fish_touchline_using_subcommand backup" -l config -d 'Read settings from this file instead of ./touchline.toml' -r -F
complete -c touchline -n "__fish_touchline_using_subcommand backup" -s h -l help -d 'Print help'
complete -c touchline -n "__fish_touchline_using_subcommand verify" -l key-file -d 'The file with the key by which it is encrypted, of 32 characters or more; without it, it is not' -r -F
complete -c touchline -n "__fish_touchline_using_subcommand verify" -l config -d 'Read settings from this file instead of ./touchline.toml' -r -F
complete -c touchline -n "__fish_touchline_using_subcommand verify" -s h -l help -d 'Print help'
complete -c touchline -n "__fish_touchline_using_subcommand restore" -l key-file -d 'The file with the key by which it is encrypted, of 32 characters or more; without it, it is not' -r -F
complete -c touchline -n "__fish_touchline_using_subcommand restore" -l config -d 'Read settings from this file instead of ./touchline.toml' -r -F
complete -c touchline -n "__fish_touchline_using_subcommand restore" -l replace -d 'Move aside what is there'
complete -c touchline -n "__fish_touchline_using_subcommand restore" -s h -l help -d 'Print help'
complete -c touchline -n "__fish_touchline_using_subcommand move" -l to -d 'The PostgreSQL database to move to, which is empty, as in `database_url`; or - to read it from standard input' -r
complete -c touchline -n "__fish_touchline_using_subcommand move" -l config -d 'Read settings from this file instead of ./touchline.toml' -r -F
complete -c touchline -n "__fish_touchline_using_subcommand move" -l give-up -d 'Do not go on with a move that was begun: the service stays where it is'
complete -c touchline -n "__fish_touchline_using_subcommand move" -s h -l help -d 'Print help'
complete -c touchline -n "__fish_touchline_using_subcommand accept-secret-key" -l config -d 'Read settings from this file instead of ./touchline.toml' -r -F
complete -c touchline -n "__fish_touchline_using_subcommand accept-secret-key" -s h -l help -d 'Print help'
complete -c touchline -n "__fish_touchline_using_subcommand operator-token" -l role -d 'What it allows: viewer, moderator, operator or owner' -r
complete -c touchline -n "__fish_touchline_using_subcommand operator-token" -l expires -d 'How long it opens anything: 90m, 12h or 30d; without it, until it is revoked' -r
complete -c touchline -n "__fish_touchline_using_subcommand operator-token" -l revoke-id -d 'Revoke the token with this id instead' -r
complete -c touchline -n "__fish_touchline_using_subcommand operator-token" -l config -d 'Read settings from this file instead of ./touchline.toml' -r -F
complete -c touchline -n "__fish_touchline_using_subcommand operator-token" -l list -d 'List the tokens there are instead, newest first'
complete -c touchline -n "__fish_touchline_using_subcommand operator-token" -l revoke -d 'Revoke every token of this name instead'
complete -c touchline -n "__fish_touchline_using_subcommand operator-token" -s h -l help -d 'Print help'
complete -c touchline -n "__fish_touchline_using_subcommand import" -l url -d 'Its address; without it, the one this configuration listens on' -r
complete -c touchline -n "__fish_touchline_using_subcommand import" -l token -d 'An operator token; without it, the configured one (`TOUCHLINE_OPERATOR_TOKEN`)' -r
complete -c touchline -n "__fish_touchline_using_subcommand import" -l config -d 'Read settings from this file instead of ./touchline.toml' -r -F
complete -c touchline -n "__fish_touchline_using_subcommand import" -s h -l help -d 'Print help'
complete -c touchline -n "__fish_touchline_using_subcommand result" -l url -d 'Its address; without it, the one this configuration listens on' -r
complete -c touchline -n "__fish_touchline_using_subcommand result" -l token -d 'An operator token; without it, the configured one (`TOUCHLINE_OPERATOR_TOKEN`)' -r
complete -c touchline -n "__fish_touchline_using_subcommand result" -l config -d 'Read settings from this file instead of ./touchline.toml' -r -F
complete -c touchline -n "__fish_touchline_using_subcommand result" -s h -l help -d 'Print help'
complete -c touchline -n "__fish_touchline_using_subcommand feed" -l provider -d 'Ask only the feed\'s source of this provider' -r
complete -c touchline -n "__fish_touchline_using_subcommand feed" -l url -d 'Its address; without it, the one this configuration listens on' -r
complete -c touchline -n "__fish_touchline_using_subcommand feed" -l token -d 'An operator token; without it, the configured one (`TOUCHLINE_OPERATOR_TOKEN`)' -r
complete -c touchline -n "__fish_touchline_using_subcommand feed" -l config -d 'Read settings from this file instead of ./touchline.toml' -r -F
complete -c touchline -n "__fish_touchline_using_subcommand feed" -l dry-run -d 'Only print what would change'
complete -c touchline -n "__fish_touchline_using_subcommand feed" -s h -l help -d 'Print help'
complete -c touchline -n "__fish_touchline_using_subcommand demo; and not __fish_seen_subcommand_from play help" -l config -d 'Read settings from this file instead of ./touchline.toml' -r -F
complete -c touchline -n "__fish_touchline_using_subcommand demo; and not __fish_seen_subcommand_from play help" -s h -l help -d 'Print help'
complete -c touchline -n "__fish_touchline_using_subcommand demo; and not __fish_seen_subcommand_from play help" -f -a "play" -d 'Play a match day against the running local server, with fans and trouble, and say what a client should see at its end'
complete -c touchline -n "__fish_touchline_using_subcommand demo; and not __fish_seen_subcommand_from play help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c touchline -n "__fish_touchline_using_subcommand demo; and __fish_seen_subcommand_from play" -l speed -d 'How many minutes of the day pass in a real minute; the built-in day has 60' -r
complete -c touchline -n "__fish_touchline_using_subcommand demo; and __fish_seen_subcommand_from play" -l fans -d 'How many fans come in and predict' -r
complete -c touchline -n "__fish_touchline_using_subcommand demo; and __fish_seen_subcommand_from play" -l script -d 'A day of your own, a JSON document (docs/match-day.md) instead of the built-in one' -r -F
complete -c touchline -n "__fish_touchline_using_subcommand demo; and __fish_seen_subcommand_from play" -l expect -d 'Also write what a client should see to this file, as JSON' -r -F
complete -c touchline -n "__fish_touchline_using_subcommand demo; and __fish_seen_subcommand_from play" -l url -d 'Its address; without it, the one this configuration listens on' -r
complete -c touchline -n "__fish_touchline_using_subcommand demo; and __fish_seen_subcommand_from play" -l token -d 'An operator token; without it, the configured one (`TOUCHLINE_OPERATOR_TOKEN`)' -r
complete -c touchline -n "__fish_touchline_using_subcommand demo; and __fish_seen_subcommand_from play" -l config -d 'Read settings from this file instead of ./touchline.toml' -r -F
complete -c touchline -n "__fish_touchline_using_subcommand demo; and __fish_seen_subcommand_from play" -s h -l help -d 'Print help'
complete -c touchline -n "__fish_touchline_using_subcommand demo; and __fish_seen_subcommand_from help" -f -a "play" -d 'Play a match day against the running local server, with fans and trouble, and say what a client should see at its end'
complete -c touchline -n "__fish_touchline_using_subcommand demo; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c touchline -n "__fish_touchline_using_subcommand help; and not __fish_seen_subcommand_from serve config migrate openapi matrix-registration health doctor backup verify restore move accept-secret-key operator-token import result feed demo help" -f -a "serve" -d 'Run the service (what the bare command does)'
complete -c touchline -n "__fish_touchline_using_subcommand help; and not __fish_seen_subcommand_from serve config migrate openapi matrix-registration health doctor backup verify restore move accept-secret-key operator-token import result feed demo help" -f -a "config" -d 'Print the settings in force, secrets hidden'
complete -c touchline -n "__fish_touchline_using_subcommand help; and not __fish_seen_subcommand_from serve config migrate openapi matrix-registration health doctor backup verify restore move accept-secret-key operator-token import result feed demo help" -f -a "migrate" -d 'Bring the database\'s schema up to date and end'
complete -c touchline -n "__fish_touchline_using_subcommand help; and not __fish_seen_subcommand_from serve config migrate openapi matrix-registration health doctor backup verify restore move accept-secret-key operator-token import result feed demo help" -f -a "openapi" -d 'Print the API\'s OpenAPI document'
complete -c touchline -n "__fish_touchline_using_subcommand help; and not __fish_seen_subcommand_from serve config migrate openapi matrix-registration health doctor backup verify restore move accept-secret-key operator-token import result feed demo help" -f -a "matrix-registration" -d 'Print the file by which a Matrix homeserver knows this service'
complete -c touchline -n "__fish_touchline_using_subcommand help; and not __fish_seen_subcommand_from serve config migrate openapi matrix-registration health doctor backup verify restore move accept-secret-key operator-token import result feed demo help" -f -a "health" -d 'Ask the running server whether it is ready; the exit code says it'
complete -c touchline -n "__fish_touchline_using_subcommand help; and not __fish_seen_subcommand_from serve config migrate openapi matrix-registration health doctor backup verify restore move accept-secret-key operator-token import result feed demo help" -f -a "doctor" -d 'Check the database and the whole link to the homeserver, and say what is wrong'
complete -c touchline -n "__fish_touchline_using_subcommand help; and not __fish_seen_subcommand_from serve config migrate openapi matrix-registration health doctor backup verify restore move accept-secret-key operator-token import result feed demo help" -f -a "backup" -d 'Copy the databases, the key and everything said in chat into one file, while the service runs'
complete -c touchline -n "__fish_touchline_using_subcommand help; and not __fish_seen_subcommand_from serve config migrate openapi matrix-registration health doctor backup verify restore move accept-secret-key operator-token import result feed demo help" -f -a "verify" -d 'Read a backup from end to end and say whether it could be restored'
complete -c touchline -n "__fish_touchline_using_subcommand help; and not __fish_seen_subcommand_from serve config migrate openapi matrix-registration health doctor backup verify restore move accept-secret-key operator-token import result feed demo help" -f -a "restore" -d 'Put a backup in place; the service must not run'
complete -c touchline -n "__fish_touchline_using_subcommand help; and not __fish_seen_subcommand_from serve config migrate openapi matrix-registration health doctor backup verify restore move accept-secret-key operator-token import result feed demo help" -f -a "move" -d 'Copy an embedded database to PostgreSQL while the service runs, and let go of it at the last change'
complete -c touchline -n "__fish_touchline_using_subcommand help; and not __fish_seen_subcommand_from serve config migrate openapi matrix-registration health doctor backup verify restore move accept-secret-key operator-token import result feed demo help" -f -a "accept-secret-key" -d 'Take the configured secret key for the database\'s from now on, after it was changed on purpose'
complete -c touchline -n "__fish_touchline_using_subcommand help; and not __fish_seen_subcommand_from serve config migrate openapi matrix-registration health doctor backup verify restore move accept-secret-key operator-token import result feed demo help" -f -a "operator-token" -d 'Make a token for the operator API, list those there are, or revoke some'
complete -c touchline -n "__fish_touchline_using_subcommand help; and not __fish_seen_subcommand_from serve config migrate openapi matrix-registration health doctor backup verify restore move accept-secret-key operator-token import result feed demo help" -f -a "import" -d 'Import a catalogue of sports, teams, tournaments and events into the running server'
complete -c touchline -n "__fish_touchline_using_subcommand help; and not __fish_seen_subcommand_from serve config migrate openapi matrix-registration health doctor backup verify restore move accept-secret-key operator-token import result feed demo help" -f -a "result" -d 'Enter the result of a match, or correct it'
complete -c touchline -n "__fish_touchline_using_subcommand help; and not __fish_seen_subcommand_from serve config migrate openapi matrix-registration health doctor backup verify restore move accept-secret-key operator-token import result feed demo help" -f -a "feed" -d 'Ask a feed now and import what it says'
complete -c touchline -n "__fish_touchline_using_subcommand help; and not __fish_seen_subcommand_from serve config migrate openapi matrix-registration health doctor backup verify restore move accept-secret-key operator-token import result feed demo help" -f -a "demo" -d 'Things to see on a developer\'s machine'
complete -c touchline -n "__fish_touchline_using_subcommand help; and not __fish_seen_subcommand_from serve config migrate openapi matrix-registration health doctor backup verify restore move accept-secret-key operator-token import result feed demo help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c touchline -n "__fish_touchline_using_subcommand help; and __fish_seen_subcommand_from demo" -f -a "play" -d 'Play a match day against the running local server, with fans and trouble, and say what a client should see at its end'
