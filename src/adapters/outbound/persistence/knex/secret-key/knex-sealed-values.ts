import type {
  Replacement,
  SealedColumn,
  SealedValue,
  SealedValues,
} from '../../../../../application/secret-key/ports/sealed-values.js';
import type { Database } from '../database.js';
import { ROTATED_COLUMNS, type RotatedColumn } from './rotated-columns.js';

export class KnexSealedValues implements SealedValues {
  constructor(
    private readonly database: Database,
    readonly columns: readonly SealedColumn[] = ROTATED_COLUMNS,
  ) {}

  async readAfter(given: SealedColumn, id: number, limit: number): Promise<readonly SealedValue[]> {
    const { table, key, column } = placeOf(given);
    return (await this.database.reader
      .query(table)
      .where(key, '>', id)
      .whereNotNull(column)
      .orderBy(key)
      .limit(limit)
      .select({ id: key, sealed: column })) as SealedValue[];
  }

  async replace(given: SealedColumn, replacements: readonly Replacement[]): Promise<void> {
    const { table, key, column } = placeOf(given);
    await this.database.transact(async ({ query }) => {
      for (const { id, sealed, resealed } of replacements)
        await query(table)
          .where({ [key]: id, [column]: sealed })
          .update({ [column]: resealed });
    });
  }
}

const placeOf = ({ name }: SealedColumn): RotatedColumn => {
  const place = ROTATED_COLUMNS.find((column) => column.name === name);
  if (place === undefined) throw new Error(`${name} is not a sealed column.`);
  return place;
};
