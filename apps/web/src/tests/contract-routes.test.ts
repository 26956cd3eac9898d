import * as contract from '@engram/contract';
import * as browser from '@engram/contract/browser';
import { expect, test } from 'vitest';

test('the app has every route of the contract with its address, but without its schemas', () => {
  const routes = Object.entries(contract).flatMap(([name, value]) => {
    if (!contract.isRoute(value)) return [];
    const { id, method, path, kind, filePart } = value;
    return [[name, JSON.parse(JSON.stringify({ id, method, path, kind, filePart }))] as const];
  });
  const known = Object.entries(browser).filter(([, value]) => contract.isRoute(value));
  expect(routes.length).toBeGreaterThan(80);
  expect(Object.fromEntries(known)).toEqual(Object.fromEntries(routes));
});
