import { pino } from 'pino';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';

/** Structured lines on standard output. What could be a secret is taken out wherever it is logged. */
export function createLogger(config: Pick<Config, 'logLevel' | 'isDemo'>): FastifyBaseLogger {
  return pino({
    level: config.logLevel,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [
        'authorization',
        'password',
        'newPassword',
        'erpToken',
        'token',
        '*.authorization',
        '*.password',
        '*.token',
        'headers.authorization',
      ],
      censor: '***',
    },
  });
}
