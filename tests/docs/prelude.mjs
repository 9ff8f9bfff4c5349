/* What a browser and an app around the examples would have. */
const token = process.env.TOKEN;
const showLogin = () => {};
const readEverythingAgain = () => {};
const kept = new Map();
globalThis.localStorage ??= { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value), removeItem: (name) => kept.delete(name) };
