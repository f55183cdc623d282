import type { Progress } from '../../../../../application/storage/ports/storage-end.js';
import { UNTOUCHED, type StorageControl } from '../../../../../domain/storage/storage-control.js';
import type { RowOf } from '../tables.js';

export type ControlRow = RowOf<'storage_control'>;

export const controlOf = (row: ControlRow | undefined): StorageControl =>
  row === undefined
    ? UNTOUCHED
    : {
        role: row.role,
        epoch: Number(row.epoch),
        move: row.move ?? undefined,
        state: row.state ?? undefined,
        peer: row.peer ?? undefined,
      };

/** The columns that `MARK` binds, in its order. */
export const markBindings = (control: StorageControl): readonly (string | number | null)[] => [
  control.role,
  control.epoch,
  control.move ?? null,
  control.state ?? null,
  control.peer ?? null,
  new Date().toISOString(),
];

/** Writes what a database says of itself, and keeps how far it was filled. */
export const MARK = `insert into storage_control (id, role, epoch, move, state, peer, changed_at) values (1, ?, ?, ?, ?, ?, ?)
  on conflict (id) do update set role = excluded.role, epoch = excluded.epoch, move = excluded.move, state = excluded.state,
    peer = excluded.peer, changed_at = excluded.changed_at`;

export const SET_DEFINITIONS = 'update storage_control set definitions = ?, progress = null where id = 1';
export const SET_PROGRESS = 'update storage_control set progress = ? where id = 1 and progress is null';
export const CHANGE_PROGRESS = 'update storage_control set progress = ? where id = 1 and progress = ?';

export const progressOf = (text: string | null | undefined): Progress | undefined =>
  text == null ? undefined : (JSON.parse(text) as Progress);

/** Something that is dropped while a database is filled, with what makes it again. */
export interface Definition {
  readonly drop: string;
  readonly create: string;
}

export const definitionsOf = (text: string | null | undefined): readonly Definition[] =>
  text == null ? [] : (JSON.parse(text) as Definition[]);

export const OTHER_MOVER = 'Another process moves this database at this moment.';

/** @throws Error when a database says something else of itself than it did. */
export const refuseOther = (now: StorageControl, before: StorageControl): void => {
  if (now.role !== before.role || now.move !== before.move || now.state !== before.state) throw new Error(OTHER_MOVER);
};
