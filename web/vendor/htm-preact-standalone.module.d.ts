// Of what the module exports, the part that the pages use. Written here: the package's own types need Preact's.
export type Node = any;
export type State<T> = [T, (next: T | ((before: T) => T)) => void];
export const html: (strings: TemplateStringsArray, ...values: any[]) => Node;
export function h(type: any, props?: any, ...children: any[]): Node;
export function render(node: Node, parent: Element): void;
export class Component<P = any, S = any> {
  constructor(props?: P);
  props: P;
  state: S;
  setState(next: Partial<S>): void;
  shouldComponentUpdate(next: P): boolean;
  render(props: P, state: S): Node;
}
export type Context<T> = { Provider: any; __type?: T };
export function createContext<T>(value: T): Context<T>;
export function useContext<T>(context: Context<T>): T;
export function useState<T>(first: T | (() => T)): State<T>;
export function useReducer<T, A>(reduce: (before: T, action: A) => T, first: T): [T, (action: A) => void];
export function useEffect(run: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useLayoutEffect(run: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useRef<T>(first: T): { current: T };
export function useMemo<T>(make: () => T, inputs: readonly unknown[]): T;
export function useCallback<T>(callback: T, inputs: readonly unknown[]): T;
export function useErrorBoundary(callback?: (error: any) => void): [any, () => void];
