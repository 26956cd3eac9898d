import { promisifyRequest, type UseStore } from 'idb-keyval';

/**
 * The object store of an IndexedDB database, for the functions of idb-keyval. The first write creates
 * both. Reading a missing database fails, and does not create it.
 */
export function databaseStore(
  database: string,
  name: string,
  options?: IDBObjectStoreParameters,
): UseStore {
  let opened: IDBDatabase | null = null;
  const open = async (mode: IDBTransactionMode): Promise<IDBDatabase> => {
    const request = indexedDB.open(database, 1);
    request.addEventListener('upgradeneeded', () => {
      if (mode === 'readonly') request.transaction?.abort();
      else request.result.createObjectStore(name, options);
    });
    const opening = await promisifyRequest(request);
    // Signing out deletes the database, and must not wait for this connection.
    opening.addEventListener('versionchange', () => {
      opening.close();
      opened = null;
    });
    return opening;
  };
  return async (mode, use) =>
    use((opened ??= await open(mode)).transaction(name, mode).objectStore(name));
}

export const isMissing = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError';
