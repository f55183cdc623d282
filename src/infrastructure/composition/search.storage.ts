import { defineStorage } from './storage.js';

export const searchStorage = defineStorage({ name: 'search', stores: {} });
