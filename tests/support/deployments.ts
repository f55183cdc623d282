import { randomBytes } from 'node:crypto';
import type { Config } from '../../src/infrastructure/configuration/config.js';
import { describeAnyDatabase, describeDatabase, type OpenTestDatabase } from './databases.js';
import { RoundRobin } from './round-robin.js';
import { selectedDatabases } from './selected-databases.js';
import { TestService } from './test-service.js';

/** A service as its clients meet it: one process, or several behind one address. */
export interface Deployment {
  /** Any one of the nodes; its `url` is where clients go. */
  readonly service: TestService;
  readonly nodes: readonly TestService[];
  readonly close: () => Promise<void>;
}

export type Deploy = (changes?: Partial<Config>) => Promise<Deployment>;

/** Two nodes on one database whose clocks agree, taking requests in turns. */
export const deployTwoNodes = async (
  databaseUrl: string,
  changes: Partial<Config> = {},
): Promise<Deployment & { readonly nodes: readonly [TestService, TestService] }> => {
  const proxy = await RoundRobin.listen();
  const secretKey = randomBytes(32);
  const start = () => TestService.start(databaseUrl, { ...changes, baseUrl: proxy.url }, secretKey);
  const nodes = [await start(), await start()] as const;
  // However long the second one took to start.
  for (const clock of ['clock', 'steadyClock'] as const)
    nodes[1][clock].advance(nodes[0][clock].now().getTime() - nodes[1][clock].now().getTime());
  proxy.lead(nodes.map((node) => node.nodeUrl));
  return {
    nodes,
    service: nodes[0],
    close: async () => {
      await proxy.close();
      for (const node of nodes) await node.close();
    },
  };
};

const deployNode =
  (openTestDatabase: OpenTestDatabase): Deploy =>
  async (changes) => {
    const service = await TestService.start(await openTestDatabase(), changes);
    return { service, nodes: [service], close: () => service.close() };
  };

/** Runs a suite on one node and one database of this run, whichever: see `describeAnyDatabase`. */
export const describeAnyDeployment = (name: string, suite: (deploy: Deploy) => void): void =>
  describeAnyDatabase(name, (openTestDatabase) => suite(deployNode(openTestDatabase)));

/** Runs a suite on one node beside SQLite and on two nodes beside PostgreSQL, which agree on nothing but what is in it: what holds there holds for one. Both are tried wherever tests run. */
export const describeEachDeployment = (name: string, suite: (deploy: Deploy) => void): void => {
  for (const database of selectedDatabases())
    if (database === 'sqlite')
      describeDatabase(database, name, (openTestDatabase) => suite(deployNode(openTestDatabase)));
    else
      describeDatabase(database, `${name}, by two nodes`, (openTestDatabase) =>
        suite(async (changes) => deployTwoNodes(await openTestDatabase(), changes)),
      );
};
