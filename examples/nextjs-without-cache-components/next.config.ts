import type { NextConfig } from 'next';

const config: NextConfig = { cacheComponents: false };

export default config;
