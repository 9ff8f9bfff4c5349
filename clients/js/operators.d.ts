/** @import { Options } from "./touchline.js" */
export class TouchlineOperator extends Touchline {
    /** @param {Options & { token: string }} options */
    constructor(options: Options & {
        token: string;
    });
    /**
     * What happens, for whoever watches over it: `match`, `audit`, `report`, `job`, `figures`; `reset` says that too much was missed. Reconnects by itself
     * until `signal` aborts or the token ends.
     * @param {Parameters<Touchline["listen"]>[1]} options
     * @returns {AsyncGenerator<{ id: string, name: string, data: any }>}
     */
    desk(options?: Parameters<Touchline["listen"]>[1]): AsyncGenerator<{
        id: string;
        name: string;
        data: any;
    }>;
}
import { Touchline } from "./touchline.js";
import type { Options } from "./touchline.js";
