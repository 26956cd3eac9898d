import { promisifyRequest, type UseStore } from 'idb-keyval';

/**
 * The object store of an IndexedDB database, for the functions of idb-keyval. Both are created when
 * they are first used.
 */
export function databaseStore(
  database: string,
  name: string,
  options?: IDBObjectStoreParameters,
): UseStore {
  let opened: Promise<IDBDatabase> | null = null;
  const open = async (): Promise<IDBDatabase> => {
    const request = indexedDB.open(database, 1);
    request.addEventListener('upgradeneeded', () =>
      request.result.createObjectStore(name, options),
    );
    const opening = await promisifyRequest(request);
    // Signing out deletes the database, and must not wait for this connection.
    opening.addEventListener('versionchange', () => {
      opening.close();
      opened = null;
    });
    return opening;
  };
  return async (mode, use) =>
    use((await (opened ??= open())).transaction(name, mode).objectStore(name));
}
