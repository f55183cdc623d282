import type { Dialect } from './dialect.js';

export const readInstantOrNull = (dialect: Dialect, value: unknown): Date | null =>
  value === null || value === undefined ? null : dialect.readInstant(value);

export const writeInstantOrNull = (dialect: Dialect, at: Date | null): Date | string | null =>
  at === null ? null : dialect.writeInstant(at);
