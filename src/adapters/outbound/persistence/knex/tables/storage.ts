import type { MoveState, StorageRole } from '../../../../../domain/storage/storage-control.js';
import { bigInteger, code, id, instant, json, nullable, table, text } from './table.js';

export const STORAGE_TABLES = {
  storage_control: table({
    key: ['id'],
    size: 'few',
    columns: {
      id,
      role: code<StorageRole>(),
      epoch: bigInteger,
      move: nullable(text),
      state: nullable(code<MoveState>()),
      peer: nullable(text),
      progress: nullable(json),
      definitions: nullable(json),
      changed_at: instant,
    },
  }),
};
