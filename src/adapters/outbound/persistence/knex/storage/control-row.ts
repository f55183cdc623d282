import type { CopiedRows, Progress, StorageNode } from '../../../../../application/storage/ports/storage-end.js';
import type { Changes, StoredKey } from '../../../../../application/storage/ports/stored-rows.js';
import { UNTOUCHED, type StorageControl } from '../../../../../domain/storage/storage-control.js';
import type { RowOf } from '../tables.js';

export type ControlRow = RowOf<'storage_control'>;

export const CONTROL_ROW = 'select * from storage_control where id = 1';

export const controlOf = (row: ControlRow | undefined): StorageControl =>
  row === undefined
    ? UNTOUCHED
    : {
        role: row.role,
        epoch: Number(row.epoch),
        move: row.move ?? undefined,
        state: row.state ?? undefined,
        peer: row.peer ?? undefined,
        sealedSuccessor: row.sealed_successor ?? undefined,
      };

/** The columns that `MARK` binds, in its order. */
export const markBindings = (control: StorageControl): readonly (string | number | null)[] => [
  control.role,
  control.epoch,
  control.move ?? null,
  control.state ?? null,
  control.peer ?? null,
  control.sealedSuccessor ?? null,
  new Date().toISOString(),
];

/** Writes what a database says of itself, and keeps how far it was filled. */
export const MARK = `insert into storage_control (id, role, epoch, move, state, peer, sealed_successor, changed_at)
  values (1, ?, ?, ?, ?, ?, ?, ?)
  on conflict (id) do update set role = excluded.role, epoch = excluded.epoch, move = excluded.move, state = excluded.state,
    peer = excluded.peer, sealed_successor = excluded.sealed_successor, changed_at = excluded.changed_at`;

export const SET_DEFINITIONS = 'update storage_control set definitions = ? where id = 1';
export const FORGET_PROGRESS = 'update storage_control set progress = null where id = 1';
export const SET_PROGRESS = 'update storage_control set progress = ? where id = 1 and progress is null';
export const CHANGE_PROGRESS = 'update storage_control set progress = ? where id = 1 and progress = ?';
export const SET_RUN = 'update storage_control set run = ? where id = 1';
export const SET_RECEIPT = 'update storage_control set receipt = ? where id = 1';

export const SET_COPIED = 'update storage_control set rows_copied = ?, rows_known = ? where id = 1';

export const copiedRowsOf = (row: ControlRow | undefined): CopiedRows | undefined =>
  row?.rows_known == null ? undefined : { copied: Number(row.rows_copied), known: Number(row.rows_known) };

export const NODES = 'select * from storage_nodes order by node';
export const FORGET_NODES = 'delete from storage_nodes';
export const FORGET_CHANGES = 'delete from storage_changes';

export const nodeOf = ({ node, version, state, reason, beat }: RowOf<'storage_nodes'>): StorageNode => ({
  node,
  version,
  state,
  reason: reason ?? undefined,
  beat: Number(beat),
});

export const progressOf = (text: string | null | undefined): Progress | undefined =>
  text == null ? undefined : (JSON.parse(text) as Progress);

/** Something that is dropped while a database is filled, with what makes it again. */
export interface Definition {
  readonly kind: 'index' | 'foreign key';
  readonly drop: string;
  readonly create: string;
}

export const definitionsOf = (text: string | null | undefined): readonly Definition[] =>
  text == null ? [] : (JSON.parse(text) as Definition[]);

export const OTHER_MOVER = 'Another process moves this database at this moment: wait for it, or end it.';

/** @throws Error when a database says something else of itself than it did. */
export const refuseOther = (now: StorageControl, before: StorageControl): void => {
  if (now.role !== before.role || now.move !== before.move || now.state !== before.state) throw new Error(OTHER_MOVER);
};

/** What a trigger notes of a row that was written. */
export interface Note {
  readonly id: number | string;
  readonly table_name: string;
  readonly row_key: string;
}

/** @param notes in their order. */
export const changesOf = (notes: readonly Note[]): Changes => {
  const byTable = new Map<string, Map<string, StoredKey>>();
  for (const { table_name: table, row_key: key } of notes) {
    let keys = byTable.get(table);
    if (keys === undefined) byTable.set(table, (keys = new Map<string, StoredKey>()));
    if (!keys.has(key)) keys.set(key, JSON.parse(key) as StoredKey);
  }
  return {
    notes: notes.map(({ id }) => Number(id)),
    keys: new Map([...byTable].map(([table, keys]) => [table, [...keys.values()]])),
  };
};
