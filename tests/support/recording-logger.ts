import type { LogFields, Logger } from '../../src/application/shared/ports/logger.js';

export interface LogLine {
  readonly level: keyof Logger;
  readonly message: string;
  readonly fields: LogFields;
}

const DELAYED = 'event loop delayed';

/** Keeps every line, so that a test can search them. */
export class RecordingLogger implements Logger {
  readonly lines: LogLine[] = [];

  /** Warnings and errors, but what tells of a machine that is busy: other tests may be at it. */
  get troubles(): readonly LogLine[] {
    return this.lines.filter(({ level, message }) => ['warn', 'error'].includes(level) && message !== DELAYED);
  }

  debug(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'debug', message, fields });
  }

  info(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'info', message, fields });
  }

  warn(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'warn', message, fields });
  }

  error(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'error', message, fields });
  }
}
