import type { MoveState, NodeState, StorageRole } from '../../../../../domain/storage/storage-control.js';
import { bigInteger, code, id, instant, json, nullable, sealed, table, text } from './table.js';

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
      sealed_successor: nullable(sealed),
      run: nullable(text),
      receipt: nullable(json),
      rows_known: nullable(bigInteger),
      rows_copied: nullable(bigInteger),
    },
  }),
  storage_changes: table({ key: ['id'], size: 'flood', columns: { id, table_name: text, row_key: json } }),
  storage_nodes: table({
    key: ['id'],
    size: 'few',
    columns: { id, node: text, version: text, state: code<NodeState>(), reason: nullable(text), beat: bigInteger },
  }),
  storage_receipts: table({
    key: ['id'],
    size: 'few',
    columns: { id, move: text, receipt: json, created_at: instant },
  }),
};
