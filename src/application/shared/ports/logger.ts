/** Plain: a log may write them in the simplest way. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Structured log: a constant sentence, and what varies in fields. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
