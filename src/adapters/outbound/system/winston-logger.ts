import winston from 'winston';
import type { Logger } from '../../../application/shared/ports/logger.js';
import { LinesOfTurns } from './lines-of-turns.js';

export interface LoggerOptions {
  readonly level: 'error' | 'warn' | 'info' | 'debug';
  readonly format: 'json' | 'pretty';
  /** Where lines go; the standard output by default. */
  readonly stream?: NodeJS.WritableStream;
}

// What is logged is plain: the format of the library that withstands circles costs several times as much (`docs/performance.md`).
const json = winston.format.printf((line) => JSON.stringify(line));

const pretty = winston.format.printf(({ timestamp, level, message, ...fields }) => {
  const details = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [String(timestamp), level.padEnd(5), String(message), ...details].join(' ');
});

/** Lines of JSON with `level`, `message` and `timestamp` at their end, or lines for a person. */
export const createWinstonLogger = ({ level, format, stream = process.stdout }: LoggerOptions): Logger => {
  const logger = winston.createLogger({
    level,
    format: format === 'json' ? json : pretty,
    transports: [new LinesOfTurns(stream)],
  });
  const write = (severity: LoggerOptions['level']) => (message: string, fields?: object) =>
    void logger.log({ ...fields, level: severity, message, timestamp: new Date().toISOString() });
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
};
