/**
 * Keeps the session in a `Storage`, or in anything with its three methods (also asynchronous ones).
 * @param {{ getItem(key: string): any, setItem(key: string, value: string): any, removeItem(key: string): any }} storage
 * @returns {SessionStore}
 */
export function storedIn(storage: {
    getItem(key: string): any;
    setItem(key: string, value: string): any;
    removeItem(key: string): any;
}, key?: string): SessionStore;
/** A name that nobody else gives. React Native has no `crypto` of its own; it need not be a secret. */
export function uniqueName(): `${string}-${string}-${string}-${string}-${string}`;
/** Operations by their ids, out of a text with one a line. @param {string} text @returns {Record<string, string>} */
export function listed(text: string): Record<string, string>;
/** @import { Answer, Item, OperationId, Rest, Schemas, CallOptions } from "./api.d.ts" */
/** @typedef {{ token: string, user: Schemas["LoginUserView"], chat: Schemas["Credentials"] | null }} Session */
/**
 * Where a session is kept, such as `storedIn(localStorage)`. Each may answer with a promise.
 * @typedef {{ get(): Session | null | Promise<Session | null>, set(session: Session | null): void | Promise<void> }} SessionStore
 */
/**
 * @typedef {object} Options
 * @property {string} [baseUrl] the service's address; in a browser its own origin is the default
 * @property {string} [token] instead of a session
 * @property {string} [language] of what people are told, such as `de`
 * @property {SessionStore} [session] in memory, if none is given
 * @property {typeof fetch} [fetch] another transport; on React Native one that streams, such as `expo/fetch`. It is also told
 *   `init.operation`, `{ id, args }`, for logs
 * @property {number} [tries] how often a call is tried in all: 4
 * @property {number} [timeoutMs] for one try: 15,000
 * @property {number} [longestWaitMs] a `Retry-After` above this is an error at once: 20,000
 * @property {number} [longestBackOffMs] of a stream or sync: 30,000
 * @property {(session: Session | null) => void} [onSession] called when somebody logged in, or the session ended
 */
/** @typedef {{ id: string, name: string, data: any }} News */
/** Any failure: the service's own, or `network`, `timeout`, `not_streaming` where it could not answer. */
export class TouchlineError extends Error {
    /** @param {{ status?: number, code: string, message: string, fields?: Record<string, string[]>, details?: any, requestId?: string, retryAfterMs?: number, cause?: unknown }} of */
    constructor({ status, code, message, fields, details, requestId, retryAfterMs, cause }: {
        status?: number;
        code: string;
        message: string;
        fields?: Record<string, string[]>;
        details?: any;
        requestId?: string;
        retryAfterMs?: number;
        cause?: unknown;
    });
    status: number;
    /** A stable name to branch on. */
    code: string;
    /** What is wrong, by field, when `code` is `validation_failed`. */
    fields: Record<string, string[]>;
    /** What a program needs besides, where the call says so. */
    details: any;
    /** To quote when you ask for help. */
    requestId: string;
    retryAfterMs: number | undefined;
}
export class Touchline {
    /** @param {Options} [options] */
    constructor(options?: Options);
    options: {
        /**
         * the service's address; in a browser its own origin is the default
         */
        baseUrl?: string | undefined;
        /**
         * instead of a session
         */
        token?: string | undefined;
        /**
         * of what people are told, such as `de`
         */
        language?: string | undefined;
        /**
         * in memory, if none is given
         */
        session: SessionStore;
        /**
         * another transport; on React Native one that streams, such as `expo/fetch`. It is also told
         * `init.operation`, `{ id, args }`, for logs
         */
        fetch?: typeof fetch | undefined;
        /**
         * how often a call is tried in all: 4
         */
        tries: number;
        /**
         * for one try: 15,000
         */
        timeoutMs: number;
        /**
         * a `Retry-After` above this is an error at once: 20,000
         */
        longestWaitMs: number;
        /**
         * of a stream or sync: 30,000
         */
        longestBackOffMs: number;
        /**
         * called when somebody logged in, or the session ended
         */
        onSession?: ((session: Session | null) => void) | undefined;
    };
    /** @type {Record<string, string>} */
    operations: Record<string, string>;
    baseUrl: string;
    fetch: typeof fetch;
    /** Who is logged in, or null. */
    session(): Promise<Session | null>;
    /**
     * Calls an operation by its id. Logging in and out is remembered; what creates or moves has an `Idempotency-Key` by itself.
     * @template {OperationId} Id
     * @param {Id} id
     * @param {Rest<Id>} rest
     * @returns {Promise<Answer<Id>>}
     */
    call<Id extends OperationId>(id: Id, ...rest: Rest<Id>): Promise<Answer<Id>>;
    /**
     * Every entry of a list that pages, one after another.
     * @template {OperationId} Id
     * @param {Id} id
     * @param {Rest<Id>} rest
     * @returns {AsyncGenerator<Item<Id>>}
     */
    pages<Id extends OperationId>(id: Id, ...rest: Rest<Id>): AsyncGenerator<Item<Id>>;
    /**
     * News of matches, and of what happens to the caller, as it happens: reconnects by itself and misses nothing, until `signal` aborts or the session ends.
     * A `reset` says that too much was missed: read afresh what is shown.
     * @param {{ eventId?: number, lastEventId?: string, signal?: AbortSignal, silenceMs?: number, onConnected?: (isConnected: boolean) => void }} options
     * @returns {AsyncGenerator<News>}
     */
    stream({ eventId, ...options }?: {
        eventId?: number;
        lastEventId?: string;
        signal?: AbortSignal;
        silenceMs?: number;
        onConnected?: (isConnected: boolean) => void;
    }): AsyncGenerator<News>;
    /**
     * @param {string} path
     * @param {{ lastEventId?: string, signal?: AbortSignal, silenceMs?: number, onConnected?: (isConnected: boolean) => void }} options
     * @returns {AsyncGenerator<any>}
     */
    listen(path: string, { lastEventId, signal, silenceMs, onConnected }: {
        lastEventId?: string;
        signal?: AbortSignal;
        silenceMs?: number;
        onConnected?: (isConnected: boolean) => void;
    }): AsyncGenerator<any>;
    /** Waits, longer after each failure, until `wake()`. @param {number} failures @param {AbortSignal} [signal] */
    backOff(failures: number, signal?: AbortSignal, firstMs?: number): Promise<void>;
    /** Tries again now what lost the service, as any answered call does: for an app that comes to the foreground. */
    wake(): void;
    /** Talks in rooms with the chat network's own calls. @param {CallOptions} options */
    chat(options?: CallOptions): Promise<Chat>;
    #private;
}
/** The few calls that a room needs; an app of its own takes a Matrix SDK. Rooms are not encrypted here. */
export class Chat {
    /** @param {Touchline} touchline @param {string} baseUrl @param {Schemas["Credentials"]} credentials */
    constructor(touchline: Touchline, baseUrl: string, credentials: Schemas["Credentials"]);
    touchline: Touchline;
    baseUrl: string;
    credentials: {
        access_token: string;
        device_id: string;
        user_id: string;
    };
    /** @param {string} method @param {string} path @param {object} [body] @param {AbortSignal} [signal] @returns {Promise<any>} */
    request(method: string, path: string, body?: object, signal?: AbortSignal, waitMs?: number): Promise<any>;
    /** @param {string} room @param {string} text @param {string} [transaction] @returns {Promise<string>} the message's id */
    send(room: string, text: string, transaction?: string): Promise<string>;
    /** Says that somebody is writing; it wears off by itself. @param {string} room */
    typing(room: string, isTyping?: boolean): Promise<any>;
    /** Says that everything up to this message was read. @param {string} room @param {string} message */
    read(room: string, message: string): Promise<any>;
    /**
     * Messages before `from`, newest first; `end` is where the next call goes on.
     * @param {string} room @param {{ from?: string, limit?: number }} options
     * @returns {Promise<{ chunk: any[], end?: string }>}
     */
    history(room: string, { from, limit }?: {
        from?: string;
        limit?: number;
    }): Promise<{
        chunk: any[];
        end?: string;
    }>;
    /**
     * Everything that happens in the caller's rooms from now on (or since `since`), until `signal` aborts: messages and state as
     * `room`, who writes and who has read what as `ephemeral`, invitations as `invite`. Each question waits `waitMs` for news; with
     * 0 and a `pauseMs` between questions no connection is held, of which a browser has six.
     * @param {{ since?: string, signal?: AbortSignal, waitMs?: number, pauseMs?: number }} options
     * @returns {AsyncGenerator<{ kind: "room" | "ephemeral" | "invite", room: string, event: any, since: string }>}
     */
    sync({ since, signal, waitMs, pauseMs }?: {
        since?: string;
        signal?: AbortSignal;
        waitMs?: number;
        pauseMs?: number;
    }): AsyncGenerator<{
        kind: "room" | "ephemeral" | "invite";
        room: string;
        event: any;
        since: string;
    }>;
}
export type Session = {
    token: string;
    user: Schemas["LoginUserView"];
    chat: Schemas["Credentials"] | null;
};
/**
 * Where a session is kept, such as `storedIn(localStorage)`. Each may answer with a promise.
 */
export type SessionStore = {
    get(): Session | null | Promise<Session | null>;
    set(session: Session | null): void | Promise<void>;
};
export type Options = {
    /**
     * the service's address; in a browser its own origin is the default
     */
    baseUrl?: string | undefined;
    /**
     * instead of a session
     */
    token?: string | undefined;
    /**
     * of what people are told, such as `de`
     */
    language?: string | undefined;
    /**
     * in memory, if none is given
     */
    session?: SessionStore | undefined;
    /**
     * another transport; on React Native one that streams, such as `expo/fetch`. It is also told
     * `init.operation`, `{ id, args }`, for logs
     */
    fetch?: typeof fetch | undefined;
    /**
     * how often a call is tried in all: 4
     */
    tries?: number | undefined;
    /**
     * for one try: 15,000
     */
    timeoutMs?: number | undefined;
    /**
     * a `Retry-After` above this is an error at once: 20,000
     */
    longestWaitMs?: number | undefined;
    /**
     * of a stream or sync: 30,000
     */
    longestBackOffMs?: number | undefined;
    /**
     * called when somebody logged in, or the session ended
     */
    onSession?: ((session: Session | null) => void) | undefined;
};
export type News = {
    id: string;
    name: string;
    data: any;
};
import type { OperationId } from "./api.d.ts";
import type { Rest } from "./api.d.ts";
import type { Answer } from "./api.d.ts";
import type { Item } from "./api.d.ts";
import type { CallOptions } from "./api.d.ts";
import type { Schemas } from "./api.d.ts";
