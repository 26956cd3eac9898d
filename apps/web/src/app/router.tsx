import type { ComponentType } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { Splash } from '../components/logo.tsx';
import { type LayoutFile, pages } from './pages.ts';
import { paths } from './paths.ts';
import { RootLayout } from './root-layout.tsx';
import { RouteError } from './route-error.tsx';

const modules = import.meta.glob<{ default: ComponentType }>(
  ['./app/*-page.tsx', './app/{public,signed-in}-layout.tsx', './features/*/components/*-page.tsx'],
  { base: '../' },
);

const lazy = (file: string) => async () => {
  const load = modules[`./${file}`];
  if (!load) throw new Error(`The app has no file called ${file}.`);
  return { Component: (await load()).default };
};

const routesIn = (parent?: LayoutFile): RouteObject[] =>
  Object.entries(pages)
    .filter(([, { layout }]) => layout === parent)
    .flatMap(([name, { file, alias }]) => {
      const route = { path: paths[name as keyof typeof paths], lazy: lazy(file) };
      return alias ? [route, { ...route, path: alias }] : [route];
    });

const layoutRoute = (layout: LayoutFile): RouteObject => ({
  lazy: lazy(layout),
  children: routesIn(layout),
});

export const routes: RouteObject[] = [
  {
    Component: RootLayout,
    ErrorBoundary: RouteError,
    HydrateFallback: Splash,
    children: [
      ...routesIn(),
      layoutRoute('app/public-layout.tsx'),
      layoutRoute('app/signed-in-layout.tsx'),
    ],
  },
];

export const createRouter = (): ReturnType<typeof createBrowserRouter> =>
  createBrowserRouter(routes);
