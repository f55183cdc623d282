export const ALTERNATES = 'objects/info/alternates';

const FILES = [
  /^HEAD$/,
  /^packed-refs$/,
  /^objects\/info\/alternates$/,
  /^objects\/pack\/pack-[0-9a-f]{40}\.(?:pack|idx|rev)$/,
  /^objects\/[0-9a-f]{2}\/[0-9a-f]{38}$/,
];

/** What a store is made of, and what a copy of it holds. */
export const isStoreFile = (path: string): boolean => FILES.some((file) => file.test(path));
