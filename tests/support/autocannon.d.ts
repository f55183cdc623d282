declare module 'autocannon' {
  interface Request {
    readonly method?: string;
    readonly headers?: Record<string, string>;
    readonly body?: string;
    readonly setupRequest?: (request: Request) => Request;
  }
  interface Options extends Request {
    readonly url: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration?: number;
    /** Requests in all. */
    readonly amount?: number;
    /** Milliseconds between two looks for the end; a second unless told. */
    readonly sampleInt?: number;
    /** Requests a second, of all connections together. */
    readonly overallRate?: number;
    readonly requests?: readonly Request[];
  }
  interface Result {
    readonly '2xx': number;
    readonly non2xx: number;
    readonly errors: number;
    /** Seconds. */
    readonly duration: number;
    /** Milliseconds. */
    readonly latency: { readonly p99: number };
  }
  export default function autocannon(
    options: Options,
  ): Promise<Result> & { on(event: 'response', listener: () => void): void };
}
