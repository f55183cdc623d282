export type LogFields = Readonly<Record<string, unknown>>;

/** Structured log: a constant sentence, and what varies in fields. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
