/** @import { Options } from "./touchline.js" */
export class TouchlineOperator extends Touchline {
    /** @param {Options & { token: string }} options */
    constructor(options: Options & {
        token: string;
    });
}
import { Touchline } from "./touchline.js";
import type { Options } from "./touchline.js";
