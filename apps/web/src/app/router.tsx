import type { ComponentType } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { Splash } from '../components/splash.tsx';
import { type LayoutFile, pages } from './pages.ts';
import { paths } from './paths.ts';
import { RootLayout } from './root-layout.tsx';
import { RouteError } from './route-error.tsx';

const modules = import.meta.glob<Record<string, ComponentType>>([
  './*-page.tsx',
  './public-layout.tsx',
  './signed-in-layout.tsx',
]);

/** Loads a page or a layout, which is all that its file exports, when it is first opened. */
const lazy = (file: string) => async () => {
  const load = modules[`./${file}`];
  if (!load) throw new Error(`The app has no file called ${file}.`);
  return { Component: Object.values(await load())[0] };
};

/** The routes of the pages that one layout stands around, or none. */
const routesWithin = (around?: LayoutFile): RouteObject[] =>
  Object.entries(pages)
    .filter(([, { layout }]) => layout === around)
    .flatMap(([name, { file, also }]) => {
      const route = { path: paths[name as keyof typeof paths], lazy: lazy(file) };
      return also ? [route, { ...route, path: also }] : [route];
    });

const layoutRoute = (layout: LayoutFile): RouteObject => ({
  lazy: lazy(layout),
  children: routesWithin(layout),
});

/** The parts of the app, for those who work on it: no build has them. */
const kit: RouteObject[] = import.meta.env.DEV
  ? [
      {
        lazy: lazy('public-layout.tsx'),
        children: [
          { path: '/kit', lazy: async () => ({ Component: (await import('./kit.tsx')).Kit }) },
        ],
      },
    ]
  : [];

/** Every page, within what stands around it. */
export const routes: RouteObject[] = [
  {
    Component: RootLayout,
    ErrorBoundary: RouteError,
    HydrateFallback: Splash,
    children: [
      ...routesWithin(),
      layoutRoute('public-layout.tsx'),
      layoutRoute('signed-in-layout.tsx'),
      ...kit,
    ],
  },
];

export const createRouter = (): ReturnType<typeof createBrowserRouter> =>
  createBrowserRouter(routes);
