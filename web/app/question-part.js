// A part of the special tips, which are loaded with their words when somebody looks at them.
import { lazyPart, loadStyle } from "./lazy.js";

/** @typedef {typeof import("./questions.js") & typeof import("./question.js") & typeof import("./question-others.js")} Parts */

export const QuestionPart = lazyPart(async (language) => {
  const [{ questionTextsIn }, ...modules] = await Promise.all([import("./texts-questions.js"), import("./questions.js"), import("./question.js"), import("./question-others.js"), loadStyle("/app/questions.css")]);
  return { parts: /** @type {Parts} */ (Object.assign({}, ...modules)), words: { q: await questionTextsIn(language) } };
});
