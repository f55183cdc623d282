import { defineStorage } from './storage.js';

/** Administrators look at what others store. */
export const administrationStorage = defineStorage({ name: 'administration', stores: {} });
