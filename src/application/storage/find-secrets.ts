import type { Held, SearchedTable } from './ports/searched-tables.js';
import { keyOf, type RowSource, type StoredKey } from './ports/stored-rows.js';

export interface SecretTools {
  /** As digests of secrets are stored. */
  digest(text: string): string;
  /** Whether the secret key opens it. */
  opens(sealed: string): boolean;
}

/** A place of the database that has a secret which whoever reads it could use. The secret itself is not told. */
export interface FoundSecret {
  readonly table: string;
  readonly key: StoredKey;
  readonly column: string;
  /** The rest of a sentence: "has a secret of …". */
  readonly says: string;
}

export interface Search {
  readonly values: number;
  readonly found: readonly FoundSecret[];
  /** All of them, told or not. */
  readonly times: number;
}

interface Value extends Omit<FoundSecret, 'says'> {
  readonly value: string;
  readonly held: Held;
}

/** Places that are told at most. */
const TOLD = 1_000;
/** Words that may be secrets: all that the service makes have more characters, and none of another kind. */
const WORDS = /[\w-]{20,200}/g;

async function* valuesOf(
  tables: readonly SearchedTable[],
  rows: RowSource,
  wanted: (held: Held) => boolean,
): AsyncGenerator<Value, void, undefined> {
  for (const table of tables) {
    const columns = table.columns.flatMap((column, place) => {
      const held = table.holds[place] ?? 'nothing to find';
      return wanted(held) ? [{ column, place, held }] : [];
    });
    if (columns.length === 0) continue;
    for await (const page of rows.pages(table)) {
      for (const row of page.rows) {
        const key = keyOf(table, row);
        for (const { column, place, held } of columns) {
          const value = row[place];
          if (typeof value === 'string') yield { table: table.name, key, column, value, held };
        }
      }
    }
  }
}

/** Enough of a digest to tell nearly all of them apart, in little memory: there may be a digest for each token of years. */
const startOf = (digest: string): number => Number.parseInt(digest.slice(0, 13), 16);

/**
 * Looks through all rows for what whoever stole the database could use: a text in which a secret stands whose digest is stored, and a
 * value that should be sealed under the secret key and isn't.
 */
export class FindSecrets {
  constructor(
    private readonly tables: readonly SearchedTable[],
    private readonly tools: SecretTools,
  ) {}

  async execute(rows: RowSource): Promise<Search> {
    const starts = new Set<number>();
    for await (const { value } of this.#digests(rows)) starts.add(startOf(value));
    const found: FoundSecret[] = [];
    const suspects = new Map<string, Value[]>();
    let [values, times] = [0, 0];
    for await (const each of valuesOf(this.tables, rows, (held) => held === 'text' || held === 'sealed')) {
      values += 1;
      if (each.held === 'text') this.#suspect(each, starts, suspects);
      else if (!this.tools.opens(each.value)) {
        times += 1;
        if (found.length < TOLD) found.push(placed(each, 'is not sealed under the secret key'));
      }
    }
    if (suspects.size === 0) return { values, found, times };
    for await (const owner of this.#digests(rows)) {
      for (const place of suspects.get(owner.value) ?? []) {
        times += 1;
        if (found.length < TOLD) found.push(placed(place, `has the secret of ${owner.table} ${owner.key.join(', ')}`));
      }
    }
    return { values, found, times };
  }

  #digests(rows: RowSource): AsyncIterable<Value> {
    return valuesOf(this.tables, rows, (held) => held === 'digest of a secret');
  }

  /** Notes, by their digests, the words of a text that may be secrets. */
  #suspect(each: Value, starts: ReadonlySet<number>, suspects: Map<string, Value[]>): void {
    for (const word of new Set(each.value.match(WORDS) ?? [])) {
      const digest = this.tools.digest(word);
      if (!starts.has(startOf(digest))) continue;
      const places = suspects.get(digest) ?? [];
      if (places.length < TOLD) places.push({ ...each, value: '' });
      suspects.set(digest, places);
    }
  }
}

const placed = ({ table, key, column }: Value, says: string): FoundSecret => ({ table, key, column, says });

/** As an operator is told of it. */
export const describeFoundSecret = ({ table, key, column, says }: FoundSecret): string =>
  `${table} ${key.join(', ')}: ${column} ${says}`;
