import { availableParallelism } from 'node:os';

/** What only PostgreSQL does, such as deadlocks and round trips, has no test in a run without it. */
const { GATEHOUSE_TEST_DATABASES: databases = 'postgres' } = process.env;
const leftOut = databases.split(',').includes('postgres') ? [] : ['<rootDir>/tests/[a-z]+/on-postgres/'];

/** @type {import('jest').Config} */
export default {
  testEnvironment: '<rootDir>/tests/support/ordinary-environment.js',
  testMatch: ['<rootDir>/tests/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/tests/bench/', '<rootDir>/tests/prove/', ...leftOut],
  extensionsToTreatAsEsm: ['.ts'],
  // Sources import one another as `.js`, which is what they are once built.
  resolver: '<rootDir>/tests/support/source-resolver.js',
  moduleNameMapper: { '^(\\.{1,2}/(?!.*/migrations/).*)\\.js$': '$1' },
  moduleFileExtensions: ['ts', 'js', 'json', 'node'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
  globalSetup: '<rootDir>/tests/support/global-setup.ts',
  globalTeardown: '<rootDir>/tests/support/global-teardown.ts',
  testSequencer: '<rootDir>/tests/support/longest-first.js',
  // Many of them wait for processes of their own: a service, a database, a browser. One worker more than cores works meanwhile.
  maxWorkers: availableParallelism() + 1,
  // Modules of a file that has ended stay in its worker's memory, and collecting garbage among them takes longer than a new worker does.
  workerIdleMemoryLimit: '400MB',
  // Against a test that hangs; none judges time. Races take a while on a busy machine, so none has a shorter limit of its own.
  testTimeout: 600_000,
};
