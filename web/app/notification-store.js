// What the parts of the notifications show together, read once for all of them: the settings, and the devices.
import { useEffect } from "../vendor/htm-preact-standalone.module.js";
import { useChanges } from "../shared/components.js";
import { CHANGED } from "./push.js";

/** @typedef {import("./fan.js").Fan} Fan */
/** @typedef {import("./api.d.ts").Schemas["SettingsView"]} Settings */
/** @typedef {import("./api.d.ts").Schemas["DeviceView"]} Device */

/** Something that several parts show. @template T */
class Shared {
  /** @type {T | null} */
  value = null;
  /** @type {any} */
  error = null;
  #read;
  /** @type {Promise<void> | null} */
  #reading = null;
  #isStale = false;
  #listeners = new Set();

  /** @param {() => Promise<T>} read */
  constructor(read) {
    this.#read = read;
  }

  /** @param {() => void} listener */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** @param {T | null} value @param {any} [error] */
  keep(value, error = null) {
    this.value = value;
    this.error = error;
    for (const listener of this.#listeners) listener();
  }

  /** Reads it; once more for all who ask meanwhile, as what is under way may be older than why they ask. */
  again = () => {
    this.#isStale = true;
    return this.first();
  };

  /** For parts that begin to show it together. */
  first() {
    this.#isStale ||= !this.#reading;
    return (this.#reading ??= this.#readUntilFresh());
  }

  async #readUntilFresh() {
    while (this.#isStale) {
      this.#isStale = false;
      const [value, error] = await this.#read().then((read) => [read, null], (refused) => [this.value, refused]);
      this.keep(value, error);
    }
    this.#reading = null;
  }
}

/** @typedef {{ user: number | undefined, settings: Shared<Settings>, devices: Shared<Device[]> }} Store */

/** @type {WeakMap<Fan, Store>} */
const stores = new WeakMap();

/** Of whoever is in: the next one sees nothing of it. @param {Fan} fan @returns {Store} */
function storeOf(fan) {
  const user = fan.state.session?.user.id;
  const before = stores.get(fan);
  if (before && before.user === user) return before;
  const settings = new Shared(async () => (await fan.call("show_push_settings")).data);
  const devices = new Shared(async () => (await fan.call("list_devices")).data);
  const store = { user, settings, devices };
  stores.set(fan, store);
  return store;
}

/** One of them, read again whenever a part begins to show it, when the network is back, and when this browser has changed. @template {"settings" | "devices"} Name @param {Fan} fan @param {Name} name @returns {Store[Name]} */
export function useShared(fan, name) {
  const shared = storeOf(fan)[name];
  useChanges(shared);
  useEffect(() => {
    shared.first();
    const stop = new AbortController();
    for (const event of ["online", CHANGED]) addEventListener(event, shared.again, { signal: stop.signal });
    return () => stop.abort();
  }, [shared]);
  return shared;
}

/** What the service said of the settings. @param {Fan} fan @param {Partial<Settings>} told */
export function keepSettings(fan, told) {
  const { settings } = storeOf(fan);
  settings.keep(/** @type {Settings} */ ({ ...settings.value, ...told }));
}
