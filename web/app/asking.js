// Ways to ask the service: once and for all, page by page, and again and again.
import { useEffect, useRef, useState } from "../vendor/htm-preact-standalone.module.js";
import { useReading } from "../shared/components.js";

/** Does one thing at a time, and keeps why it could not be done. */
export function useAttempt() {
  const [error, setError] = useState(/** @type {any} */ (null));
  const [isBusy, setBusy] = useState(false);
  const isThere = useRef(true);
  useEffect(() => () => void (isThere.current = false), []);
  const attempt = async (/** @type {() => Promise<any>} */ work) => {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (refused) {
      if (isThere.current) setError(refused);
    }
    if (isThere.current) setBusy(false);
  };
  return { error, isBusy, attempt, setError };
}

/** The pages of a list up to this one, as one list. @template T @param {number} pages @param {(page: number) => Promise<{ data: T[], meta: { total: number, last_page: number } }>} read */
export async function upTo(pages, read) {
  const all = await Promise.all(Array.from({ length: pages }, (_, at) => read(at + 1)));
  const { total, last_page: last } = all[0].meta;
  return { data: all.flatMap(({ data }) => data), total, hasMore: last > pages };
}

/**
 * As `useReading`, and again so long after each answer while the page is looked at, and when the network is back.
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} read
 * @param {readonly unknown[]} inputs
 * @param {number} everyMs
 */
export function useReadingOften(read, inputs, everyMs) {
  const reading = useReading(read, inputs);
  const { isReading, again } = reading;
  useEffect(() => {
    if (isReading) return;
    const look = () => document.hidden || again();
    const timer = setInterval(look, everyMs);
    addEventListener("online", look);
    return () => {
      clearInterval(timer);
      removeEventListener("online", look);
    };
  }, [isReading, everyMs]);
  return reading;
}
