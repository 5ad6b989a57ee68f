/* An ICU without data, in the format of its data files.

   Foundation brings ICU for texts and dates of many languages, half of the size of the tool, which
   uses none of them. The linker takes this in place of the data: see Scripts/deb.sh. */
#include <stdint.h>

struct data {
  uint16_t header_size;
  uint8_t magic[2];
  uint16_t information_size, reserved;
  uint8_t is_big_endian, charset, size_of_char, reserved_too;
  uint8_t format[4], format_version[4], data_version[4];
  uint8_t padding[8];
  uint32_t entry_count, end[3];
};

__attribute__((aligned(16))) const struct data ICU_DATA = {
    .header_size = 32,
    .magic = {0xDA, 0x27},
    .information_size = 20,
    .size_of_char = 2,
    .format = {'C', 'm', 'n', 'D'},
    .format_version = {1},
};
