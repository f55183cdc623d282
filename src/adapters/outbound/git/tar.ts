const BLOCK = 512;
const FIELD = { size: [124, 12], checksum: [148, 8] } as const;
/** Beyond eleven octal digits the number is binary, with its highest bit set: as GNU tar and all who read it do. */
const MOST_OCTAL = 0o77777777777;

const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;

const writeSize = (header: Buffer, bytes: number): void => {
  const [at, length] = FIELD.size;
  if (bytes <= MOST_OCTAL) header.write(octal(bytes, length), at, 'latin1');
  else {
    header.writeUInt8(0x80, at);
    header.writeBigUInt64BE(BigInt(bytes), at + length - 8);
  }
};

/** The header of a file of a tar archive, or of a folder where its name ends in a slash. Names have at most 100 bytes, no time and no owner. */
export const tarHeader = (name: string, bytes: number): Buffer => {
  if (Buffer.byteLength(name) > 100) throw new Error('The name is too long for a header.');
  const header = Buffer.alloc(BLOCK);
  const isFolder = name.endsWith('/');
  header.write(name, 0, 'utf8');
  header.write(octal(isFolder ? 0o755 : 0o644, 8) + octal(0, 8) + octal(0, 8), 100, 'latin1');
  writeSize(header, bytes);
  header.write(octal(0, 12), 136, 'latin1');
  header.write(isFolder ? '5' : '0', 156, 'latin1');
  header.write('ustar\u000000', 257, 'latin1');
  const [at, length] = FIELD.checksum;
  header.fill(' ', at, at + length);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 7)} `, at, 'latin1');
  return header;
};

/** What fills up the last block of a file. */
export const tarPadding = (bytes: number): Buffer => Buffer.alloc((BLOCK - (bytes % BLOCK)) % BLOCK);

/** Two empty blocks. */
export const TAR_END = Buffer.alloc(2 * BLOCK);
