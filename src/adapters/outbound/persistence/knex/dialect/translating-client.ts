import type { Knex } from 'knex';
import type { ConnectionCounts } from '../database.js';
import type { Dialect } from './dialect.js';

export type ClientClass = typeof Knex.Client;

/** What Knex's types call `any`. */
export const clientOf = (knex: Knex): Knex.Client => knex.client as Knex.Client;

/** A Knex client whose every failure, of a query or of getting a connection, is already one of our errors. */
export const translatingClient = (client: ClientClass, dialect: Dialect): ClientClass => {
  class TranslatingClient extends client {
    override async _query(connection: unknown, query: unknown): Promise<unknown> {
      try {
        return await super._query(connection, query);
      } catch (error) {
        throw dialect.translateError(error);
      }
    }

    override async acquireConnection(): Promise<unknown> {
      try {
        return await super.acquireConnection();
      } catch (error) {
        throw dialect.translateError(error);
      }
    }
  }
  return TranslatingClient;
};

interface Pool {
  readonly max: number;
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

/** Of the pools of all these together. */
export const connectionsOf = (...clients: readonly Knex[]): ConnectionCounts => {
  const pools = clients.map((knex) => clientOf(knex).pool as Pool | undefined).filter((pool) => pool !== undefined);
  const sum = (count: (pool: Pool) => number): number => pools.reduce((total, pool) => total + count(pool), 0);
  return {
    used: sum((pool) => pool.numUsed()),
    idle: sum((pool) => pool.numFree()),
    waiting: sum((pool) => pool.numPendingAcquires()),
    max: sum((pool) => pool.max),
  };
};
