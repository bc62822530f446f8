-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- What bench/dynamic has lua do: calls, arithmetic, tables and strings, a little of each.

local function queens(n, row, columns, up, down)
  if row > n then return 1 end
  local found = 0
  for c = 1, n do
    if not (columns[c] or up[row + c] or down[row - c]) then
      columns[c], up[row + c], down[row - c] = true, true, true
      found = found + queens(n, row + 1, columns, up, down)
      columns[c], up[row + c], down[row - c] = nil, nil, nil
    end
  end
  return found
end

local function sieve(n)
  local composite, count = {}, 0
  for i = 2, n do
    if not composite[i] then
      count = count + 1
      for k = i * i, n, i do composite[k] = true end
    end
  end
  return count
end

local function words(n)
  local list, seed = {}, 7
  for i = 1, n do
    seed = (seed * 1103515245 + 12345) % 2147483648
    list[i] = string.format("w%05d", seed % 9973)
  end
  table.sort(list)
  local text, seen = table.concat(list, " "), {}
  for word in text:gmatch("w(%d+)") do seen[word] = (seen[word] or 0) + 1 end
  local different = 0
  for _ in pairs(seen) do different = different + 1 end
  return different, #text:gsub("0", "zero")
end

local function fibonacci(n)
  return n < 2 and n or fibonacci(n - 1) + fibonacci(n - 2)
end

print(queens(7, 1, {}, {}, {}), sieve(60000), fibonacci(21), words(6000))
