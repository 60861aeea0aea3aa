const address = { first_name: 'Emeka', last_name: 'Okafor', city: 'Lagos', country: 'NG' };
const { data: customer } = await client.POST('/shop/v3/customers', {
  // @ts-expect-error: a customer needs an email, the site answers 400 rest_missing_callback_param
  body: { first_name: 'Emeka', billing: address, shipping: address },
});
assert.ok(customer);
