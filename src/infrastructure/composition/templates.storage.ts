import { defineStorage } from './storage.js';

export const templatesStorage = defineStorage({ name: 'templates', stores: {} });
