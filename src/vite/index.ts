export {
  type ViteDevelopmentServer,
  type ViteMiddleware,
  type WaygatePlugin,
  type WaygatePluginOptions,
  waygate,
} from './plugin.ts';
