import ordinary from './jest.config.js';

/** For `make bench` and `make prove`: one file at a time, each as long as it takes. @type {import('jest').Config} */
export default {
  ...ordinary,
  globalSetup: '<rootDir>/tests/support/global-setup-on-disk.ts',
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
  testTimeout: 1_800_000,
};
