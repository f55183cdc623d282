import winston from 'winston';
import type { Logger } from '../../../application/shared/ports/logger.js';

export interface LoggerOptions {
  readonly level: 'error' | 'warn' | 'info' | 'debug';
  readonly format: 'json' | 'pretty';
  /** Where lines go; the standard output by default. */
  readonly stream?: NodeJS.WritableStream;
}

const pretty = winston.format.printf(({ timestamp, level, message, ...fields }) => {
  const details = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [String(timestamp), level.padEnd(5), String(message), ...details].join(' ');
});

/** Lines of JSON with `timestamp`, `level` and `message`, or lines for a person. */
export const createWinstonLogger = ({ level, format, stream }: LoggerOptions): Logger => {
  const { combine, timestamp, json } = winston.format;
  const logger = winston.createLogger({
    level,
    format: combine(timestamp(), format === 'json' ? json({ deterministic: false }) : pretty),
    transports: [stream === undefined ? new winston.transports.Console() : new winston.transports.Stream({ stream })],
  });
  return {
    debug: (message, fields) => void logger.debug(message, fields),
    info: (message, fields) => void logger.info(message, fields),
    warn: (message, fields) => void logger.warn(message, fields),
    error: (message, fields) => void logger.error(message, fields),
  };
};
