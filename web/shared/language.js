// Which language a reader has, and times and numbers as they are written in it.
import { createContext } from "../vendor/htm-preact-standalone.module.js";

const KEPT = "touchline-language";
let current = "en";

/**
 * The language that was chosen, or the first of the reader's own that the page speaks, or its first.
 * @param {string[]} spoken
 */
export function chooseLanguage(spoken) {
  const chosen = localStorage.getItem(KEPT);
  const wanted = [chosen, ...navigator.languages].map((language) => language?.slice(0, 2));
  current = /** @type {string} */ (wanted.find((language) => language && spoken.includes(language)) ?? spoken[0]);
  return current;
}

/** @param {string} language */
export function keepLanguage(language) {
  localStorage.setItem(KEPT, language);
  current = language;
}

/** A fetch that asks for the page's language, so that what the service says is in it too. @returns {typeof fetch} */
export function inLanguage(ask = fetch) {
  return (input, init = {}) => ask(input, { ...init, headers: { ...init.headers, "accept-language": current } });
}

/** @param {string} language */
export function formats(language) {
  // The reader's own conventions, if they are of this language.
  const locale = navigator.languages.find((one) => one.startsWith(language)) ?? language;
  const of = (/** @type {Intl.DateTimeFormatOptions} */ options) => new Intl.DateTimeFormat(locale, options);
  const isOfTwentyFour = of({ hour: "numeric" }).resolvedOptions().hourCycle === "h23";
  const time = of({ hour: isOfTwentyFour ? "2-digit" : "numeric", minute: "2-digit" });
  const day = of({ weekday: "short", day: "numeric", month: "short" });
  const date = of({ dateStyle: "medium" });
  const moment = of({ dateStyle: "medium", timeStyle: "short" });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const number = new Intl.NumberFormat(locale);
  const signed = new Intl.NumberFormat(locale, { signDisplay: "exceptZero" });
  const zone = of({ timeZoneName: "short" }).formatToParts().find((part) => part.type === "timeZoneName")?.value ?? "";
  const place = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    /** @param {string} iso */ time: (iso) => time.format(new Date(iso)),
    /** @param {string} iso */ day: (iso) => day.format(new Date(iso)),
    /** @param {string} iso */ date: (iso) => date.format(new Date(iso)),
    /** @param {string} iso */ moment: (iso) => moment.format(new Date(iso)),
    /** @param {number} value */ number: (value) => number.format(value),
    /** @param {number} value */ signed: (value) => signed.format(value),
    /** How long until or since then, in the largest unit that says something. @param {number} ms */
    relative(ms) {
      const minutes = Math.round(ms / 60_000);
      if (Math.abs(minutes) < 90) return relative.format(minutes, "minute");
      const hours = Math.round(minutes / 60);
      return Math.abs(hours) < 36 ? relative.format(hours, "hour") : relative.format(Math.round(hours / 24), "day");
    },
    zone: place && place !== zone ? `${place.replaceAll("_", " ")} (${zone})` : zone,
  };
}

/** What is drawn below speaks this: the page's texts as `t`, and `say` for times and numbers. */
export const Language = createContext(/** @type {{ t: any, say: ReturnType<typeof formats> }} */ (/** @type {unknown} */ (null)));
