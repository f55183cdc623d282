/** A field of a request, as far as hostile values for it differ. */
export interface Field {
  readonly name: string;
  readonly kind: 'text' | 'number' | 'list' | 'flag' | 'anything';
  /** A value that is acceptable, and as large as one may be. */
  readonly largest: unknown;
  readonly required: boolean;
}

export type Area = 'api' | 'oauth' | 'page' | 'intake' | 'old api' | 'operations';

/** Who asks: nobody, an administrator with every scope, a person like others. */
export type Caller = 'nobody' | 'administrator' | 'person';
export const CALLERS: readonly Caller[] = ['nobody', 'administrator', 'person'];

/** A declared route that hostile input is sent to. */
export interface Target {
  /** As declared. */
  readonly name: string;
  readonly area: Area;
  readonly method: string;
  readonly fields: readonly Field[];
  /** What a body may hold at most, in bytes. */
  readonly bodyLimit: number;
  /** How fields are sent in a body. */
  readonly takes: 'json' | 'form';
  /** Finds what the path names; makes it first where the request would remove it. */
  readonly path: (caller: Caller) => Promise<string>;
  /** The same with another text where the path is variable; nothing where it isn't. */
  readonly pathWith: (segment: string) => string | undefined;
  readonly headers: (caller: Caller) => Promise<Readonly<Record<string, string>>>;
  /** What goes along with hostile fields, so that they are looked at. */
  readonly companions: Readonly<Record<string, string>>;
}
