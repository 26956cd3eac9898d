import { crc32 } from 'node:zlib';

const VERSION = 20;
/** Names are UTF-8. */
const FLAGS = 0x800;

/** A zip archive of uncompressed members by path (APPNOTE.TXT 6.3.10, 4.3). */
export function storedZip(members: Record<string, Uint8Array>): Uint8Array<ArrayBuffer> {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of Object.entries(members)) {
    const name = Buffer.from(path);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(VERSION, 0);
    about.writeUInt16LE(FLAGS, 2);
    about.writeUInt32LE(crc32(content), 10);
    about.writeUInt32LE(content.length, 14);
    about.writeUInt32LE(content.length, 18);
    about.writeUInt16LE(name.length, 22);
    const header = [Buffer.from('PK\x03\x04'), about, name, Buffer.from(content)];
    const end = Buffer.alloc(14);
    end.writeUInt32LE(offset, 10);
    const version = Buffer.from([VERSION, 0]);
    central.push(Buffer.from('PK\x01\x02'), version, about, end, name);
    local.push(...header);
    offset += header.reduce((sum, { length }) => sum + length, 0);
  }
  const directory = Buffer.concat(central);
  const count = Object.keys(members).length;
  const end = Buffer.alloc(18);
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return new Uint8Array(Buffer.concat([...local, directory, Buffer.from('PK\x05\x06'), end]));
}
