import {
  type ScriptedServer,
  sendJson,
  startScriptedServer,
} from './scripted-server.test-setup.ts';

/** A request to the geocoder. */
export interface GeocoderRequest {
  path: string;
  query: Record<string, string>;
  userAgent: string | undefined;
}

export type GeocoderBehavior =
  /** The parts of an address, as Nominatim names them. */
  | { kind: 'place'; address: Record<string, unknown> }
  /** Nominatim's response for a position without an address. */
  | { kind: 'nowhere' }
  | { kind: 'status'; status: number }
  | { kind: 'text'; text: string }
  | { kind: 'hang' };

export type GeocoderServer = ScriptedServer<GeocoderRequest, GeocoderBehavior>;

export const LISBON: GeocoderBehavior = {
  kind: 'place',
  address: {
    city: 'Lisbon',
    county: 'Lisbon',
    state: 'Lisbon',
    'ISO3166-2-lvl4': 'PT-11',
    country: 'Portugal',
    country_code: 'pt',
  },
};

/** A server with Nominatim's reverse geocoding API, on a free port of this machine. */
export const startGeocoder = (): Promise<GeocoderServer> =>
  startScriptedServer<GeocoderRequest, GeocoderBehavior>({
    first: LISBON,
    handle(incoming, response, record) {
      const { pathname: path, searchParams } = new URL(incoming.url ?? '/', 'http://host');
      const behavior = record({
        path,
        query: Object.fromEntries(searchParams),
        userAgent: incoming.headers['user-agent'],
      });
      switch (behavior.kind) {
        case 'place':
          sendJson(response, 200, {
            place_id: 1,
            licence: 'Data © OpenStreetMap contributors, ODbL 1.0.',
            category: 'boundary',
            type: 'administrative',
            address: behavior.address,
          });
          break;
        case 'nowhere':
          sendJson(response, 200, { error: 'Unable to geocode' });
          break;
        case 'status':
          sendJson(response, behavior.status, { error: { code: behavior.status } });
          break;
        case 'text':
          response.writeHead(200, { 'content-type': 'application/json' }).end(behavior.text);
          break;
        case 'hang':
          break;
      }
    },
  });
