import type { NamespaceId, ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';

/** The type of the `id` of a table, where it has one of its own. */
interface Identifiers {
  readonly users: UserId;
  readonly namespaces: NamespaceId;
  readonly projects: ProjectId;
}
type IdentifierOf<TableName> = TableName extends keyof Identifiers ? Identifiers[TableName] : number;

/** How each logical type of a column is read from a row, on either database. */
export interface Stored<Content = unknown> {
  /** A number that the database gives out. */
  readonly id: IdentifierOf<Content>;
  /** The id that a row shares with another: the database gives it out there. */
  readonly shared_id: number;
  /** The key of another row. */
  readonly reference: IdentifierOf<Content>;
  /** Of 32 bits. */
  readonly integer: number;
  /** Of 64 bits. */
  readonly big_integer: number;
  readonly boolean: boolean | number;
  readonly text: string;
  /** Text that the service folded, so that both databases compare and sort it alike: by code point. */
  readonly key: string;
  /** A word of a closed list. */
  readonly code: Content;
  /** A calendar day, `YYYY-MM-DD`. */
  readonly date: string;
  /** To the millisecond; `Dialect` reads and writes it. */
  readonly instant: Date | string;
  readonly json: string;
  /** The one-way digest of a secret. */
  readonly digest: string;
  /** Encrypted under the secret key of the installation: whoever changes that key seals these again. */
  readonly sealed: string;
}
export type LogicalType = keyof Stored;

export interface Column<Type extends LogicalType = LogicalType, Nullable extends boolean = boolean, Content = unknown> {
  readonly type: Type;
  readonly nullable: Nullable;
  /** The table whose `id` it holds, with what becomes of this row when that one is removed. */
  readonly refersTo?: { readonly table: string; readonly onDelete: 'cascade' | 'set null' };
  /** In types alone: the words of a code, and the table that a reference names. */
  readonly content?: Content;
}

/**
 * What ends rows beside the work that removes their subject:
 * - `expired`: the clean-up removes them, `keptMs` after the instant in `expires_at`;
 * - `ended`: a job of its own removes them after the day in a column, because others must hear of it;
 * - `retained`: a job removes them once they are older than the installation keeps them;
 * - `trimmed`: a job keeps only the latest of each owner.
 */
export type Pruning =
  | { readonly kind: 'expired'; readonly column: 'expires_at'; readonly keptMs: number }
  | { readonly kind: 'ended' | 'retained' | 'trimmed'; readonly column: string };

/** How many rows: bounded by people and their settings; growing with use; growing with each thing that happens. */
export type SizeClass = 'few' | 'many' | 'flood';

export interface Table {
  /** The primary key. */
  readonly key: readonly string[];
  readonly size: SizeClass;
  readonly pruned: readonly Pruning[];
  readonly columns: Readonly<Record<string, Column>>;
}

type Columns = Readonly<Record<string, Column>>;
interface TableOf<C extends Columns> {
  readonly columns: C;
  readonly key: readonly (keyof C & string)[];
  readonly size: SizeClass;
  readonly pruned?: readonly (Pruning & { readonly column: keyof C & string })[];
}

export const table = <const C extends Columns>(of: TableOf<C>) => ({ pruned: [], ...of });

const column = <Type extends LogicalType>(type: Type): Column<Type, false> => ({ type, nullable: false });

export const id = column('id');
export const integer = column('integer');
export const bigInteger = column('big_integer');
export const boolean = column('boolean');
export const text = column('text');
export const key = column('key');
export const date = column('date');
export const instant = column('instant');
export const json = column('json');
export const digest = column('digest');
export const sealed = column('sealed');
export const code = <Word extends string>(): Column<'code', false, Word> => ({ type: 'code', nullable: false });

/** Refers to a row of another table, and goes with it. */
export const reference = <To extends string>(to: To): Column<'reference', false, To> => ({
  type: 'reference',
  nullable: false,
  refersTo: { table: to, onDelete: 'cascade' },
});

/** The id of a row of another table, of which this row is a part: it goes with it. */
export const sharedId = <To extends string>(to: To): Column<'shared_id', false, To> => ({
  type: 'shared_id',
  nullable: false,
  refersTo: { table: to, onDelete: 'cascade' },
});

/** Refers to a row of another table, and is null once that is removed. */
export const link = <To extends string>(to: To): Column<'reference', true, To> => ({
  type: 'reference',
  nullable: true,
  refersTo: { table: to, onDelete: 'set null' },
});

export const nullable = <Type extends LogicalType, Content>(
  of: Column<Type, false, Content>,
): Column<Type, true, Content> => ({ ...of, nullable: true });

const DAY_MS = 86_400_000;

/** Removed by the clean-up once the instant in `expires_at` has passed. */
export const onceExpired = { kind: 'expired', column: 'expires_at', keptMs: 0 } as const satisfies Pruning;
/** A day later, so that a repeat is recognized, and whoever uses one is told that it expired. */
export const aDayAfterExpiry = { ...onceExpired, keptMs: DAY_MS } as const satisfies Pruning;
