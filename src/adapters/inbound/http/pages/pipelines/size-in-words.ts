const UNITS = ['KiB', 'MiB', 'GiB'] as const;
const STEP = 1_024;

/** `1 byte`, `900 bytes`, `1.5 KiB`. */
export const sizeInWords = (bytes: number): string => {
  if (bytes < STEP) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const power = Math.min(UNITS.length, Math.floor(Math.log(bytes) / Math.log(STEP)));
  return `${(bytes / STEP ** power).toFixed(1)} ${UNITS[power - 1]!}`;
};
