import type { Router } from 'express';

/** As Express keeps what was registered. */
interface Layer {
  readonly route?: {
    readonly path: string | RegExp | readonly string[];
    readonly methods: Readonly<Record<string, boolean>>;
  };
  readonly handle: { readonly stack?: readonly Layer[] };
  match(path: string): boolean;
}

const layersIn = (stack: readonly Layer[]): readonly Layer[] =>
  stack.flatMap((layer) => (layer.route === undefined ? layersIn(layer.handle.stack ?? []) : [layer]));

/** Which of its pages a router answers an address with, by the router's own word. */
export class PageRoutes {
  readonly #layers: readonly Layer[];

  constructor(router: Router) {
    this.#layers = layersIn(router.stack as unknown as readonly Layer[]).filter(
      ({ route }) => route?.methods['get'] === true,
    );
  }

  get all(): ReadonlySet<string> {
    return new Set(this.#layers.map(({ route }) => String(route?.path)));
  }

  /** @param address without the origin; undefined where no page is. */
  of(address: string): string | undefined {
    const [path = ''] = address.split(/[?#]/, 1);
    const found = this.#layers.find((layer) => layer.match(path));
    return found === undefined ? undefined : String(found.route?.path);
  }
}
