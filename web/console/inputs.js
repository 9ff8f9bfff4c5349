// What is typed into a form, and moments as its fields have them.

export const typed = (/** @type {(text: string) => void} */ set) => (/** @type {any} */ event) => set(event.target.value);

/** A moment as an input for local times has it. @param {string} iso */
export const local = (iso) => new Date(Date.parse(iso) - new Date(iso).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** The moment that such an input says; null as long as it says none. @param {string} text */
export const momentOf = (text) => (Number.isNaN(Date.parse(text)) ? null : new Date(text).toISOString());

/** A moment of a UTC date that is the same date for every reader. @param {string} date */
export const noon = (date) => `${date}T12:00:00`;
